// How the benchmark was called.
import { parseArgs } from "node:util";
import { readPeers } from "../peers/peer.mjs";

const REPETITIONS = { quick: 2, full: 5 };
/** Seconds after which no further repetition begins, for each participant. */
const LIMITS = { quick: 45, full: 290 };

export function readOptionsOrExit() {
	try {
		return readOptions();
	} catch (error) {
		console.error(error.message);
		process.exit(2);
	}
}

function readOptions() {
	const { values } = parseArgs({
		options: {
			quick: { type: "boolean", default: false },
			json: { type: "string" },
			peer: { type: "string", multiple: true, default: [] },
		},
	});
	const { REPS, ONLY, WINDOW, PEER = "" } = process.env;
	const peers = readPeers([...PEER.split(";").filter((text) => text.trim() !== ""), ...values.peer]);
	const size = values.quick ? "quick" : "full";
	const only = ONLY?.split(",");
	return {
		json: values.json,
		peers,
		repetitions: Number(REPS ?? REPETITIONS[size]),
		limitSeconds: LIMITS[size] * (2 + peers.length),
		window: WINDOW === undefined ? undefined : Number(WINDOW),
		isWanted: ({ id, quick }) => (only ? only.some((start) => id.startsWith(start)) : !values.quick || quick === true),
	};
}
