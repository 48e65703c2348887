// From measurements to rows: medians, and ratios to the lean path of the same repetition.
import { median } from "../table.mjs";

/** The rows of a scenario. Each repetition has a measurement per participant; those of a peer may be `{ word }`. */
export function rowsOf({ rows, job }, repetitions) {
	const peers = Object.entries(repetitions[0] ?? {}).filter(([, run]) => run.isPeer);
	return rows.map(({ value, minus, ...row }) => {
		const of = (name) =>
			repetitions.map((runs) => value(runs[name], job) - (minus ? value(runs[minus], job) : 0)).map(Number);
		const lean = of("lean");
		const figures = (name) => {
			const values = of(name);
			return { value: median(values), ratio: median(values.map((one, index) => ratioOf(one, lean[index]))) };
		};
		const { value: gateway, ratio } = figures("gateway");
		const ofPeer = ([name]) => [name, wordOf(repetitions, name) ?? figures(name)];
		return { ...row, lean: median(lean), gateway, ratio, peers: Object.fromEntries(peers.map(ofPeer)) };
	});
}

/** A busy machine can make lean look faster than no relay at all. Nothing can be compared with that. */
const ratioOf = (value, lean) => (lean > 0 ? value / lean : Number.NaN);

function wordOf(repetitions, name) {
	const spoilt = repetitions.find((runs) => runs[name].word !== undefined);
	return spoilt && { word: spoilt[name].word };
}
