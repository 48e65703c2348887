import type { ModelInfo } from "../model.ts";
import { AUTOMATIC, type VendorModel } from "./vendor-name.ts";
import { compareVersions } from "./versions.ts";

/** The parts of an Anthropic model name, in any order: `claude-sonnet-4-5-20250929`, `claude-3-5-haiku-latest`. */
interface ClaudeName {
	family: string;
	/** As numbers, most significant first; empty if the name has no version. */
	version: number[];
}

/** What may follow a name: a date, `latest`, and the long context that Claude Code writes in brackets. */
const ENDING = /(?:[-@]\d{8}|-latest|\[\w+\])*$/i;

function readClaudeName(name: string): ClaudeName | undefined {
	const [maker, ...words] = name.toLowerCase().replace(ENDING, "").split(/[-.]/);
	if (maker !== "claude") return undefined;
	const families = words.filter((word) => /^[a-z]+$/.test(word));
	const numbers = words.filter((word) => /^\d{1,2}$/.test(word));
	const [family] = families;
	// A name with any other part can only be matched exactly.
	if (family === undefined || families.length + numbers.length !== words.length || families.length > 1)
		return undefined;
	return { family, version: numbers.map(Number) };
}

/** The family that clients use for titles and other side tasks, whatever model the user chose. */
const SMALL = "haiku";

/**
 * The model that an Anthropic name refers to: the one with that family and version, however the list spells it, or else
 * the newest of the family. Clients made for Anthropic's API use names that Cursor's lists never contain.
 */
export function findClaude(name: string, models: readonly ModelInfo[]): VendorModel | undefined {
	const wanted = readClaudeName(name);
	if (!wanted) return undefined;
	const family = models.flatMap((model) => {
		const read = readClaudeName(model.id);
		return read?.family === wanted.family ? [{ model, version: read.version }] : [];
	});
	const same = family.find(({ version }) => version.join() === wanted.version.join());
	if (same) return { model: same.model, isSubstitute: false };
	const [newest] = family.sort((a, b) => compareVersions(b.version, a.version));
	const automatic = wanted.family === SMALL ? models.find(({ id }) => id === AUTOMATIC) : undefined;
	const model = newest?.model ?? automatic;
	return model && { model, isSubstitute: true };
}
