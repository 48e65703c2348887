/** A setting of a model that a run may choose, with all its values. */
interface ModelParameter {
	id: string;
	values: string[];
}

/** A predefined choice of parameters. On the wire it is named by its slug, or by the model's id with the parameters. */
export interface ModelVariant {
	slug: string;
	parameters: Record<string, string>;
	displayName: string;
	aliases: string[];
	isDefault: boolean;
	/** A run with this variant has to ask for Max Mode. */
	maxMode: boolean;
}

/** One model of an account, merged from all lists. */
export interface ModelInfo {
	id: string;
	displayName: string;
	/** Further names, none of which equals an id. */
	aliases: string[];
	/** In tokens; undefined if no list says. */
	contextWindow: number | undefined;
	/** With Max Mode, or with the largest `context` parameter. */
	maxContextWindow?: number;
	/** Whether it has Max Mode; undefined if no list says. */
	maxMode?: boolean;
	thinking: boolean;
	images: boolean;
	parameters: ModelParameter[];
	variants: ModelVariant[];
	/** Which pool of included usage it is charged to. */
	pool?: "auto" | "api";
}

/** A model with the time this gateway first saw it, since no list says how long it has existed. */
export interface SeenModel extends ModelInfo {
	/** Milliseconds since the epoch. */
	firstSeen: number;
}

/** How a run names a model. `plain` is the id alone. */
export type Spelling = "parameters" | "flattened" | "plain";

/** Whether two sets of parameters are equal, regardless of order. */
export function sameParameters(
	one: Readonly<Record<string, string>>,
	other: Readonly<Record<string, string>>,
): boolean {
	const keys = Object.keys(one);
	return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
