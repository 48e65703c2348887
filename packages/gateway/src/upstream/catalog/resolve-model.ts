import type { Effort, TurnMode } from "../../turn/request.ts";
import { type AnsweringModel, answeringModel, unknownModel } from "./answering-model.ts";
import { AUTOMATIC_ID, AUTOMATIC_NAME } from "./automatic.ts";
import { chooseEffort } from "./effort.ts";
import { chooseMaxMode } from "./max-mode.ts";
import { type ModelInfo, type ModelVariant, type Spelling, sameParameters } from "./model.ts";
import { aliasOf, isAliased } from "./names/aliases.ts";
import { findClaude } from "./names/claude-name.ts";
import { splitName, type WishingName } from "./names/name-wishes.ts";
import { findOpenai } from "./names/openai-name.ts";
import type { VendorModel } from "./names/vendor-name.ts";
import { chooseWindow } from "./names/window-suffix.ts";

/** One way to name the model in a run. */
export interface ModelCandidate {
	modelId: string;
	parameters: Record<string, string>;
	maxMode: boolean;
	spelling: Spelling;
}

/** What a requested name stands for. */
export interface ModelChoice {
	/** The name as the client spelled it. */
	requested: string;
	/** The name without the options appended to it. */
	named: string;
	/** The mode that was appended to the name. */
	mode?: TurnMode;
	/** Undefined if no list knows the name and the upstream decides. */
	model: ModelInfo | undefined;
	/** The candidate to use first, then possibly another spelling, which is tried after a refusal before any output. */
	candidates: [ModelCandidate, ...ModelCandidate[]];
	answers: AnsweringModel;
	warnings: string[];
	/**
	 * Warnings about the effort, based on the lists. They do not apply if the effort is also sent separately from the
	 * model's name.
	 */
	effortWarnings: string[];
}

export interface ModelRequest {
	name: string;
	effort?: Effort | undefined;
	/** Undefined means that the name or the configuration decides. */
	maxMode?: boolean | undefined;
	/** A context window size such as `1m`, used if the name has none. */
	window?: string | undefined;
	/** How this server wants variants to be named, for models without a remembered spelling. */
	spelling?: Spelling | undefined;
}

export interface ModelKnowledge {
	models: readonly ModelInfo[];
	/** The user's own names, from the configuration. */
	aliases: Readonly<Record<string, string>>;
	/** Whether models run in Max Mode if neither the request nor the name says, from the configuration. */
	maxMode: boolean;
	/** Spellings that worked before, by model id. */
	spellings: Readonly<Record<string, Spelling>>;
}

interface Found {
	model: ModelInfo;
	/** The variant that the name itself asks for. */
	variant: ModelVariant | undefined;
}

/** Turns a name and the requested options into the ways to name the model on the wire. */
export function resolveModel(request: ModelRequest, knowledge: ModelKnowledge): ModelChoice {
	const { effort } = request;
	const written = readName(request.name, knowledge);
	const { named, name: aimed, mode, maxMode = knowledge.maxMode, window = request.window } = written;
	const asked = { requested: request.name, named, ...(mode && { mode }) };
	const wantsMaxMode = request.maxMode ?? maxMode;
	const listed = findModel(aimed, knowledge.models);
	const known = listed ? undefined : findVendorModel(aimed, knowledge.models);
	const found = listed ?? (known && { model: known.model, variant: undefined });
	if (!found) return { ...asked, model: undefined, ...passThrough(aimed, effort, wantsMaxMode, window) };
	const { parameters, warnings: effortWarnings } = settle(found, effort);
	const warnings = known?.isSubstitute ? [`no list of models knows "${aimed}"; ${found.model.id} answers for it`] : [];
	const max = wantsMaxMode ? chooseMaxMode(found.model) : undefined;
	const wider = window === undefined ? undefined : chooseWindow(found.model, window);
	for (const choice of [max, wider]) if (choice?.warning) warnings.push(choice.warning);
	const sized = { ...max?.parameters, ...parameters, ...wider?.parameters };
	const isMax = max?.maxMode || wider?.maxMode || false;
	const spelt = isMax ? inMaxMode(found, parameters, sized) : spellings(found, sized);
	const candidates = inOrder(found.model, spelt, knowledge.spellings[found.model.id] ?? request.spelling);
	const answers = answeringModel({ ...found, parameters: sized, maxMode: candidates[0].maxMode, window: wider });
	return { ...asked, model: found.model, candidates, answers, warnings, effortWarnings };
}

/** Parses the client's name and the configured alias for it. Both may have options appended. */
function readName(whole: string, { models, aliases }: ModelKnowledge): WishingName & { named: string } {
	const isListed = (name: string) => findModel(name, models) !== undefined;
	const written = splitName(whole, (name) => isAliased(name, aliases) || isListed(name));
	const aimed = splitName(aliasOf(written.name, aliases), isListed);
	return { ...aimed, ...written, name: aimed.name, named: written.name };
}

/** The model that stands in for a vendor's own model name. */
function findVendorModel(name: string, models: readonly ModelInfo[]): VendorModel | undefined {
	return findClaude(name, models) ?? findOpenai(name, models);
}

/** Exact names first, then ignoring case. */
function findModel(name: string, models: readonly ModelInfo[]): Found | undefined {
	return find(models, (other) => other === name) ?? find(models, (other) => other.toLowerCase() === name.toLowerCase());
}

function find(models: readonly ModelInfo[], matches: (name: string) => boolean): Found | undefined {
	for (const model of models) {
		const variant = model.variants.find(({ slug, aliases }) => matches(slug) || aliases.some(matches));
		// The default variant under the model's own id does not ask for anything in particular.
		if (variant) return { model, variant: variant.isDefault && variant.slug === model.id ? undefined : variant };
	}
	const model = models.find(({ id, aliases }) => matches(id) || aliases.some(matches));
	return model && { model, variant: undefined };
}

function passThrough(
	aimed: string,
	effort: Effort | undefined,
	maxMode: boolean,
	window: string | undefined,
): Pick<ModelChoice, "candidates" | "answers" | "warnings" | "effortWarnings"> {
	const modelId = aimed === AUTOMATIC_NAME ? AUTOMATIC_ID : aimed;
	const noEffect = (wish: string) => [`no list of models knows "${aimed}"; ${wish} has no effect`];
	return {
		candidates: [{ modelId, parameters: {}, maxMode, spelling: "plain" }],
		answers: unknownModel(modelId),
		warnings: window ? noEffect(`a context window of ${window}`) : [],
		effortWarnings: effort ? noEffect(`effort "${effort}"`) : [],
	};
}

/**
 * Combines the parameters of the name and the requested effort. The name wins, because it was chosen deliberately,
 * while the effort is often just a client's default.
 */
function settle({ model, variant }: Found, effort: Effort | undefined) {
	if (!effort) return { parameters: variant?.parameters ?? {}, warnings: [] };
	const wish = chooseEffort(model, effort);
	const named = variant?.parameters ?? {};
	const differs = Object.entries(wish.parameters).some(([id, value]) => (named[id] ?? value) !== value);
	// A slug that equals the model's own id was not chosen for its parameters.
	if (differs && variant?.slug !== model.id) {
		return { parameters: named, warnings: [`the name ${variant?.slug} settles the effort; "${effort}" has no effect`] };
	}
	return { parameters: { ...named, ...wish.parameters }, warnings: wish.warning ? [wish.warning] : [] };
}

/** Both spellings, if they exist. The one that needs no guessing comes first. */
function spellings(found: Found, parameters: Record<string, string>): [ModelCandidate, ...ModelCandidate[]] {
	const { model } = found;
	if (Object.keys(parameters).length === 0) return plainSpellings(found);
	const isNamed = found.variant && sameParameters(found.variant.parameters, parameters);
	const variant = isNamed
		? found.variant
		: model.variants.find((other) => sameParameters(other.parameters, parameters));
	const maxMode = variant?.maxMode ?? found.variant?.maxMode ?? false;
	const byParameters: ModelCandidate = { modelId: model.id, parameters, maxMode, spelling: "parameters" };
	if (!variant) return [byParameters];
	const bySlug = slugCandidate(variant);
	const isDefined = Object.keys(parameters).every((id) => model.parameters.some((parameter) => parameter.id === id));
	return isDefined ? [byParameters, bySlug] : [bySlug, byParameters];
}

/** Asks for Max Mode with a context size, then, if that spelling is refused, with the Max Mode flag alone. */
function inMaxMode(
	found: Found,
	parameters: Record<string, string>,
	sized: Record<string, string>,
): [ModelCandidate, ...ModelCandidate[]] {
	const [first, ...others] = spellings(found, sized);
	const isSized = !sameParameters(parameters, sized);
	const unsized = isSized ? spellings(found, parameters).filter(({ spelling }) => spelling !== first.spelling) : [];
	const max = (candidate: ModelCandidate) => ({ ...candidate, maxMode: true });
	return [max(first), ...[...others, ...unsized].map(max)];
}

function plainSpellings({ model, variant }: Found): [ModelCandidate, ...ModelCandidate[]] {
	const plain: ModelCandidate = { modelId: model.id, parameters: {}, maxMode: false, spelling: "plain" };
	const standard = variant ?? model.variants.find(({ isDefault }) => isDefault);
	if (!standard) return [plain];
	if (standard.slug !== model.id) return [plain, slugCandidate(standard)];
	if (Object.keys(standard.parameters).length === 0) return [plain];
	return [plain, { ...plain, parameters: standard.parameters, spelling: "parameters" }];
}

function slugCandidate({ slug, maxMode }: ModelVariant): ModelCandidate {
	return { modelId: slug, parameters: {}, maxMode, spelling: "flattened" };
}

/** The spelling that worked before goes first. */
function inOrder(
	model: ModelInfo,
	[first, ...others]: [ModelCandidate, ...ModelCandidate[]],
	remembered: Spelling | undefined,
): [ModelCandidate, ...ModelCandidate[]] {
	// A model that is listed only by slugs may not exist under its bare id.
	const isBareGuess = first.spelling === "plain" && model.parameters.length === 0 && model.variants.length > 0;
	const preferred = remembered ?? (isBareGuess ? "flattened" : first.spelling);
	const chosen = [first, ...others].find(({ spelling }) => spelling === preferred);
	return chosen ? [chosen, ...[first, ...others].filter((other) => other !== chosen)] : [first, ...others];
}
