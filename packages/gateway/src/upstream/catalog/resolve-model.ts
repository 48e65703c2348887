import type { Effort } from "../../turn/request.ts";
import { type AnsweringModel, answeringModel, unknownModel } from "./answering-model.ts";
import { AUTOMATIC_ID, AUTOMATIC_NAME } from "./automatic.ts";
import { findClaude } from "./claude-name.ts";
import { chooseEffort } from "./effort.ts";
import { type ModelInfo, type ModelVariant, type Spelling, sameParameters } from "./model.ts";
import { chooseWindow, splitWindow, type WindowChoice, type WindowedName } from "./window-suffix.ts";

/** One way to name the model in a run. */
export interface ModelCandidate {
	modelId: string;
	parameters: Record<string, string>;
	maxMode: boolean;
	spelling: Spelling;
}

/** What a requested name stands for. */
export interface ModelChoice {
	/** As the client spelt it. */
	requested: string;
	/** Undefined: no list knows the name, and the upstream decides. */
	model: ModelInfo | undefined;
	/** The one to use, then perhaps the other spelling of the same, for a refusal before any output. */
	candidates: [ModelCandidate, ...ModelCandidate[]];
	answers: AnsweringModel;
	warnings: string[];
}

export interface ModelRequest {
	name: string;
	effort?: Effort | undefined;
	/** A size of the context window such as `1m`, where the name has none. */
	window?: string | undefined;
}

export interface ModelKnowledge {
	models: readonly ModelInfo[];
	/** Names of the user's own, from the configuration. */
	aliases: Readonly<Record<string, string>>;
	/** Spellings that worked before, by model id. */
	spellings: Readonly<Record<string, Spelling>>;
}

interface Found {
	model: ModelInfo;
	/** The variant that the name asks for by itself. */
	variant: ModelVariant | undefined;
}

/** From a name and a wish to the ways of saying it on the wire. */
export function resolveModel({ name, effort, ...asked }: ModelRequest, knowledge: ModelKnowledge): ModelChoice {
	const { name: aimed, window = asked.window } = readName(name, knowledge);
	const listed = findModel(aimed, knowledge.models);
	const claude = listed ? undefined : findClaude(aimed, knowledge.models);
	const found = listed ?? (claude && { model: claude.model, variant: undefined });
	if (!found) return passThrough(name, aimed, effort, window);
	const { parameters, warnings } = settle(found, effort);
	if (claude?.isSubstitute) warnings.unshift(`no list of models knows "${aimed}"; ${found.model.id} answers for it`);
	const wider = window === undefined ? undefined : chooseWindow(found.model, window);
	if (wider?.warning) warnings.push(wider.warning);
	const spelt = wider ? inWindow(found, parameters, wider) : spellings(found, parameters);
	const candidates = inOrder(found.model, spelt, knowledge.spellings[found.model.id]);
	const answers = answeringModel({
		...found,
		parameters: { ...parameters, ...wider?.parameters },
		maxMode: candidates[0].maxMode,
		window: wider,
	});
	return { requested: name, model: found.model, candidates, answers, warnings };
}

/** What a client wrote, and what the configuration makes of it; both may have a window behind the name. */
function readName(whole: string, { models, aliases }: ModelKnowledge): WindowedName {
	const isListed = (name: string) => findModel(name, models) !== undefined;
	const written = splitWindow(whole, (name) => isListed(name) || isAliased(name, aliases));
	const aimed = splitWindow(aliasOf(written.name, aliases), isListed);
	return { ...aimed, ...(written.window && { window: written.window }) };
}

/** Whether the configuration speaks of the very end of a name. A star there takes anything, and means nothing by it. */
function isAliased(name: string, aliases: Readonly<Record<string, string>>): boolean {
	return Object.keys(aliases).some(
		(key) => key === name || (key.includes("*") && !key.endsWith("*") && matchesPattern(name, key)),
	);
}

/** What the user's configuration makes of a name. A star in it stands for anything. */
function aliasOf(name: string, aliases: Readonly<Record<string, string>>): string {
	if (Object.hasOwn(aliases, name)) return aliases[name]!;
	const pattern = Object.keys(aliases).find((key) => key.includes("*") && matchesPattern(name, key));
	return pattern === undefined ? name : aliases[pattern]!;
}

function matchesPattern(name: string, pattern: string): boolean {
	const [start = "", ...rest] = pattern.split("*");
	if (!name.startsWith(start)) return false;
	let position = start.length;
	for (const [index, piece] of rest.entries()) {
		const found = index === rest.length - 1 ? name.length - piece.length : name.indexOf(piece, position);
		if (found < position || !name.startsWith(piece, found)) return false;
		position = found + piece.length;
	}
	return true;
}

/** Exact names first, then without regard to case. */
export function findModel(name: string, models: readonly ModelInfo[]): Found | undefined {
	return find(models, (other) => other === name) ?? find(models, (other) => other.toLowerCase() === name.toLowerCase());
}

function find(models: readonly ModelInfo[], matches: (name: string) => boolean): Found | undefined {
	for (const model of models) {
		const variant = model.variants.find(({ slug, aliases }) => matches(slug) || aliases.some(matches));
		// The default variant under the model's own id asks for nothing in particular.
		if (variant) return { model, variant: variant.isDefault && variant.slug === model.id ? undefined : variant };
	}
	const model = models.find(({ id, aliases }) => matches(id) || aliases.some(matches));
	return model && { model, variant: undefined };
}

function passThrough(
	requested: string,
	aimed: string,
	effort: Effort | undefined,
	window: string | undefined,
): ModelChoice {
	const modelId = aimed === AUTOMATIC_NAME ? AUTOMATIC_ID : aimed;
	const lost = [...(effort ? [`effort "${effort}"`] : []), ...(window ? [`a context window of ${window}`] : [])];
	return {
		requested,
		model: undefined,
		candidates: [{ modelId, parameters: {}, maxMode: false, spelling: "plain" }],
		answers: unknownModel(modelId),
		warnings: lost.map((wish) => `no list of models knows "${aimed}"; ${wish} has no effect`),
	};
}

/** The parameters of the name and of the wish. The name wins: it was chosen, an effort is often just a client's habit. */
function settle({ model, variant }: Found, effort: Effort | undefined) {
	if (!effort) return { parameters: variant?.parameters ?? {}, warnings: [] };
	const wish = chooseEffort(model, effort);
	const named = variant?.parameters ?? {};
	const differs = Object.entries(wish.parameters).some(([id, value]) => (named[id] ?? value) !== value);
	// A slug that is the model's own id was not chosen for its parameters.
	if (differs && variant?.slug !== model.id) {
		return { parameters: named, warnings: [`the name ${variant?.slug} settles the effort; "${effort}" has no effect`] };
	}
	return { parameters: { ...named, ...wish.parameters }, warnings: wish.warning ? [wish.warning] : [] };
}

/** Both spellings, as far as they exist; the one that needs no guess first. */
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

/** With the size that was chosen; where that is refused for its spelling, with the flag of Max Mode alone. */
function inWindow(
	found: Found,
	parameters: Record<string, string>,
	{ parameters: context, maxMode }: WindowChoice,
): [ModelCandidate, ...ModelCandidate[]] {
	const [first, ...others] = spellings(found, { ...parameters, ...context });
	const isSized = Object.keys(context).length > 0;
	const unsized = isSized ? spellings(found, parameters).filter(({ spelling }) => spelling !== first.spelling) : [];
	const flagged = (candidate: ModelCandidate) => ({ ...candidate, maxMode: candidate.maxMode || maxMode });
	return [flagged(first), ...(others.length > 0 ? others : unsized).map(flagged)];
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
	// A model that is listed by slugs alone may not exist under its bare id.
	const isBareGuess = first.spelling === "plain" && model.parameters.length === 0 && model.variants.length > 0;
	const preferred = remembered ?? (isBareGuess ? "flattened" : first.spelling);
	const chosen = [first, ...others].find(({ spelling }) => spelling === preferred);
	return chosen ? [chosen, ...[first, ...others].filter((other) => other !== chosen)] : [first, ...others];
}
