import type { ModelInfo } from "../model.ts";
import { AUTOMATIC, type VendorModel } from "./vendor-name.ts";
import { compareVersions } from "./versions.ts";

/** What Anthropic's names for a model say, in whichever order: `claude-sonnet-4-5-20250929`, `claude-3-5-haiku-latest`. */
interface ClaudeName {
	family: string;
	/** As numbers, the most significant first; none where the name has none. */
	version: number[];
}

/** What may stand behind a name: a date, `latest`, and the long context that Claude Code writes in brackets. */
const ENDING = /(?:[-@]\d{8}|-latest|\[\w+\])*$/i;

function readClaudeName(name: string): ClaudeName | undefined {
	const [maker, ...words] = name.toLowerCase().replace(ENDING, "").split(/[-.]/);
	if (maker !== "claude") return undefined;
	const families = words.filter((word) => /^[a-z]+$/.test(word));
	const numbers = words.filter((word) => /^\d{1,2}$/.test(word));
	const [family] = families;
	// Anything else in the name asks for something that only an exact name can mean.
	if (family === undefined || families.length + numbers.length !== words.length || families.length > 1)
		return undefined;
	return { family, version: numbers.map(Number) };
}

/** The family that clients use for titles and other side jobs, whatever model the user chose. */
const SMALL = "haiku";

/**
 * The model that one of Anthropic's names means: the one of that family and version, however the list spells it, or
 * else the newest of the family. Clients made for Anthropic's API ask for names that a list of models never has.
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
