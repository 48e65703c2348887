/** A setting of a model that a run may choose, with all values it takes. */
interface ModelParameter {
	id: string;
	values: string[];
}

/** A ready choice of parameters. The wire has two spellings for it: the slug, or the model's id with the parameters. */
export interface ModelVariant {
	slug: string;
	parameters: Record<string, string>;
	displayName: string;
	aliases: string[];
	isDefault: boolean;
	/** A run of it has to ask for Max Mode. */
	maxMode: boolean;
}

/** One model of an account, put together from all lists. */
export interface ModelInfo {
	id: string;
	displayName: string;
	/** Further names, none of them equal to an id. */
	aliases: string[];
	/** Tokens; undefined where no list says so. */
	contextWindow: number | undefined;
	/** With Max Mode, or with the largest `context` parameter. */
	maxContextWindow?: number;
	/** Whether it has Max Mode; undefined where no list says so. */
	maxMode?: boolean;
	thinking: boolean;
	images: boolean;
	parameters: ModelParameter[];
	variants: ModelVariant[];
	/** Which pool of included usage pays for it. */
	pool?: "auto" | "api";
}

/** A model, and when this gateway first saw it: no list says since when there is one. */
export interface SeenModel extends ModelInfo {
	/** Milliseconds of the epoch. */
	firstSeen: number;
}

/** How a run names a model. `plain`: the id alone. */
export type Spelling = "parameters" | "flattened" | "plain";

/** Equal as sets of settings. */
export function sameParameters(
	one: Readonly<Record<string, string>>,
	other: Readonly<Record<string, string>>,
): boolean {
	const keys = Object.keys(one);
	return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
