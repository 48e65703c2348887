import type { ModelInfo } from "../model.ts";
import { AUTOMATIC, type VendorModel } from "./vendor-name.ts";
import { compareVersions } from "./versions.ts";

/** What may follow a name: a date in either form, or words that only say how recent the model is. */
const ENDING = /(?:-\d{4}-\d{2}-\d{2}|-\d{4}|-latest|-preview)+$/;

type Kind = "large" | "small" | "codex";

/** The kinds of models that OpenAI's names ask for. A name that fits none can only be matched exactly. */
const KINDS: readonly (readonly [name: RegExp, kind: Kind])[] = [
	[/^gpt-3\.5-turbo(?:-16k|-instruct)?$/, "small"],
	[/^(?:text-davinci|davinci|babbage)-\d+$/, "small"],
	[/^(?:gpt-[\d.]+o?|o\d|codex|gpt-[\d.]+-codex)-(?:mini|nano)$/, "small"],
	[/^gpt-[\d.]+-codex$/, "codex"],
	[/^(?:chat)?gpt-\d[\d.]*o?(?:-turbo|-32k|-vision|-chat|-pro)?$/, "large"],
	[/^o\d(?:-pro)?$/, "large"],
];

/** Ids of the models that can stand in for each kind. The parentheses capture the version. */
const IDS: Readonly<Record<Kind, RegExp>> = {
	large: /^gpt-(\d[\d.]*)$/,
	small: /^gpt-(\d[\d.]*)(?:-codex)?-(?:mini|nano)$/,
	codex: /^gpt-(\d[\d.]*)-codex$/,
};

/**
 * The model that an OpenAI name refers to: the same name without its date, or else the newest model of its kind.
 * Clients made for OpenAI's API use names that Cursor's lists no longer contain. A name with a newer version than any
 * listed model has no stand-in, since it asks for more than there is.
 */
export function findOpenai(name: string, models: readonly ModelInfo[]): VendorModel | undefined {
	const bare = name.toLowerCase().replace(ENDING, "");
	const same = models.find(({ id }) => id === bare);
	if (same) return { model: same, isSubstitute: false };
	const kind = KINDS.find(([pattern]) => pattern.test(bare))?.[1];
	const model = kind && standIn(kind, versionIn(bare, /^(?:chat)?gpt-(\d[\d.]*)/) ?? [], models);
	return model && { model, isSubstitute: true };
}

function standIn(kind: Kind, wanted: readonly number[], models: readonly ModelInfo[]): ModelInfo | undefined {
	const newest = newestOf(kind, models) ?? (kind === "codex" ? newestOf("large", models) : undefined);
	if (newest) return compareVersions(wanted, newest.version) > 0 ? undefined : newest.model;
	return kind === "small" ? models.find(({ id }) => id === AUTOMATIC) : undefined;
}

function newestOf(kind: Kind, models: readonly ModelInfo[]) {
	const [newest] = models
		.flatMap((model) => {
			const version = versionIn(model.id, IDS[kind]);
			return version ? [{ model, version }] : [];
		})
		.sort((a, b) => compareVersions(b.version, a.version));
	return newest;
}

function versionIn(name: string, pattern: RegExp): number[] | undefined {
	return pattern.exec(name)?.[1]?.split(".").map(Number);
}
