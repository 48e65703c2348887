// Combinations of switches: a few in which every value occurs, and as many random ones as are asked for.
import { hiddenReason, SWITCH_NAMES, type SwitchSettings, valuesOf, withSettings } from "./switch-settings.ts";

/** Values under which most of the others cannot be seen: they would hide the rest in every second combination. */
const RARE: Partial<SwitchSettings> = { "client-version": "outdated", "agent-service": "unimplemented" };
const RARELY = 0.1;

/** The same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

export function randomCombinations(count: number, seed: number): SwitchSettings[] {
	const random = randomFrom(seed);
	return Array.from({ length: count }, () => {
		const picked = SWITCH_NAMES.map((name) => {
			const values = valuesOf(name);
			const rare = RARE[name];
			if (rare !== undefined) return [name, random() < RARELY ? rare : values[0]!];
			return [name, values[Math.floor(random() * values.length)]!];
		});
		return withSettings(Object.fromEntries(picked));
	});
}

/** Values that can be told from outside in these settings. */
export const visibleIn = (settings: SwitchSettings): string[] =>
	SWITCH_NAMES.flatMap((name) => (hiddenReason(name, settings) === undefined ? [`${name}=${settings[name]}`] : []));

const CANDIDATES = 400;
const COVERING_SEED = 7;

/** A few in which every value occurs that can be seen: each time the one that shows most of what is missing. */
export function coveringCombinations(): SwitchSettings[] {
	const candidates = randomCombinations(CANDIDATES, COVERING_SEED);
	const seen = new Set<string>();
	const chosen: SwitchSettings[] = [];
	for (;;) {
		const news = candidates.map((settings) => visibleIn(settings).filter((value) => !seen.has(value)).length);
		const best = Math.max(...news);
		if (best === 0) return chosen;
		const settings = candidates[news.indexOf(best)]!;
		for (const value of visibleIn(settings)) seen.add(value);
		chosen.push(settings);
	}
}

/** Every switch with every value, the others as they are by default. */
export function singleSettings(): { title: string; settings: SwitchSettings }[] {
	return SWITCH_NAMES.flatMap((name) =>
		valuesOf(name).map((value) => ({ title: `${name}=${value}`, settings: withSettings({ [name]: value }) })),
	);
}
