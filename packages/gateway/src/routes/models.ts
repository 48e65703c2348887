import { invalid } from "../dialects/shared/invalid.ts";
import { GatewayError } from "../turn/error.ts";
import type { ModelInfo } from "../upstream/catalog/model.ts";
import type { CursorAccount } from "../upstream/cursor-account.ts";

/** `GET /v1/models`: OpenAI's form, with what is known beyond it as further fields. */
export async function openaiModels(account: CursorAccount): Promise<object> {
	const { models } = await account.facts.catalog.current();
	return { object: "list", data: models.map(toOpenaiModel) };
}

/** `GET /v1/models/{id}`, by id, alias or the name of a variant. */
export async function openaiModel(account: CursorAccount, name: string): Promise<object> {
	return { ...toOpenaiModel(await findModel(account, name)), id: name };
}

/** `GET /v1/models` in Anthropic's form, a page of it. */
export async function anthropicModels(account: CursorAccount, query: ModelsQuery): Promise<object> {
	const { models } = await account.facts.catalog.current();
	return pageOf(models, query);
}

/** `GET /v1/models/{id}` in Anthropic's form. */
export async function anthropicModel(account: CursorAccount, name: string): Promise<object> {
	return { ...toAnthropicModel(await findModel(account, name)), id: name };
}

async function findModel(account: CursorAccount, name: string): Promise<ModelInfo> {
	const { model } = await account.facts.catalog.resolve({ name });
	if (model) return model;
	const near = account.facts.catalog.suggest(name);
	throw new GatewayError(
		"model-not-found",
		undefined,
		near.length > 0 ? { detail: `Did you mean ${near.join(", ")}?` } : {},
	);
}

export interface ModelsQuery {
	limit?: string | undefined;
	after_id?: string | undefined;
	before_id?: string | undefined;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

function pageOf(models: readonly ModelInfo[], query: ModelsQuery): object {
	const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
	if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw invalid("limit", `must be 1 to ${MAX_LIMIT}`);
	const after = positionOf(models, query.after_id, "after_id");
	const before = positionOf(models, query.before_id, "before_id");
	const start = after === undefined ? Math.max(0, (before ?? limit) - limit) : after + 1;
	const end = Math.min(before ?? models.length, start + limit);
	const data = models.slice(start, end).map(toAnthropicModel);
	return {
		data,
		first_id: data[0]?.id ?? null,
		last_id: data.at(-1)?.id ?? null,
		has_more: before === undefined || after !== undefined ? end < models.length : start > 0,
	};
}

function positionOf(models: readonly ModelInfo[], id: string | undefined, param: string): number | undefined {
	if (id === undefined) return undefined;
	const position = models.findIndex((model) => model.id === id);
	if (position === -1) throw invalid(param, "must be the id of a model of this list");
	return position;
}

function toAnthropicModel(model: ModelInfo) {
	return {
		type: "model",
		id: model.id,
		display_name: model.displayName,
		// When it became available is not told; the field must be there.
		created_at: "1970-01-01T00:00:00Z",
		// Models that can no longer be used are not in the catalogue.
		lifecycle: "active",
		max_input_tokens: model.contextWindow ?? null,
		max_tokens: null,
	};
}

function toOpenaiModel(model: ModelInfo) {
	return {
		id: model.id,
		object: "model",
		// When it became available is not told; the field must be there.
		created: 0,
		owned_by: "cursor",
		name: model.displayName,
		context_window: model.contextWindow ?? null,
		max_context_window: model.maxContextWindow ?? null,
		capabilities: { tools: true, images: model.images, thinking: model.thinking },
		aliases: model.aliases,
		parameters: model.parameters,
		variants: model.variants.map(({ slug, displayName, parameters }) => ({ id: slug, name: displayName, parameters })),
	};
}
