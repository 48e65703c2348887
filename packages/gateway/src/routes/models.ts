import { createHash } from "node:crypto";
import type { AdmittedCaller } from "../access/caller.ts";
import { messagesDialect } from "../dialects/messages/dialect.ts";
import { invalid } from "../dialects/shared/invalid.ts";
import type { Handler } from "../server/exchange.ts";
import { sendLargeJson } from "../server/send-json.ts";
import { GatewayError } from "../turn/error.ts";
import type { CursorAccount } from "../upstream/account/cursor-account.ts";
import { offeredName } from "../upstream/catalog/automatic.ts";
import type { ApiParts, ApiRequest } from "./api-parts.ts";
import { codexCatalog } from "./codex-catalog.ts";
import { dialectOf } from "./dialects.ts";
import { json, pathParam, queryOf } from "./json-handler.ts";
import { type ModelEntry, modelEntries, modelEntry } from "./model-entries.ts";

/** `GET /v1/models`. OpenAI, Anthropic and Codex have the same path for it; Codex states its version. */
export function models(parts: ApiParts): Handler<AdmittedCaller> {
	const codex = codexModels(parts);
	const others = json(async (requested) => {
		const account = await parts.accountOf(requested.caller);
		return isAnthropic(requested) ? anthropicModels(account, queryOf(requested)) : openaiModels(account);
	});
	return (requested) => (queryOf(requested).client_version === undefined ? others : codex)(requested);
}

/** Codex keeps the catalogue, and can ask whether it is still the same. */
function codexModels({ accountOf }: ApiParts): Handler<AdmittedCaller> {
	return async ({ caller, request, response }) => {
		const { models } = await (await accountOf(caller)).facts.catalog.current();
		const catalog = codexCatalog(modelEntries(models));
		const etag = `"${createHash("sha256").update(JSON.stringify(catalog)).digest("base64url")}"`;
		if (request.headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
		else await sendLargeJson(response, { etag }, catalog);
	};
}

/** `GET /v1/models/{id}`, by id, alias or the name of a variant. */
export function model({ accountOf }: ApiParts) {
	return json(async (requested) => {
		const entry = await findEntry(await accountOf(requested.caller), pathParam(requested, "*"));
		return isAnthropic(requested) ? toAnthropicModel(entry) : toOpenaiModel(entry);
	});
}

const isAnthropic = ({ request }: ApiRequest) => dialectOf(request) === messagesDialect;

/** OpenAI's form, with what is known beyond it as further fields. */
async function openaiModels(account: CursorAccount): Promise<object> {
	const { models } = await account.facts.catalog.current();
	return { object: "list", data: modelEntries(models).map(toOpenaiModel) };
}

/** A page of the list in Anthropic's form. */
async function anthropicModels(account: CursorAccount, query: ModelsQuery): Promise<object> {
	const { models } = await account.facts.catalog.current();
	return pageOf(modelEntries(models), query);
}

/** The model under the name that was asked for, which need not be a listed one. */
async function findEntry(account: CursorAccount, name: string): Promise<ModelEntry> {
	const { models } = await account.facts.catalog.current();
	const choice = await account.facts.catalog.resolve({ name });
	const model = models.find(({ id }) => id === choice.model?.id);
	if (model) return modelEntries(models).find(({ id }) => id === name) ?? { ...modelEntry(model), id: name };
	const near = account.facts.catalog.suggest(name);
	throw new GatewayError(
		"model-not-found",
		undefined,
		near.length > 0 ? { detail: `Did you mean ${near.join(", ")}?` } : {},
	);
}

interface ModelsQuery {
	limit?: string | undefined;
	after_id?: string | undefined;
	before_id?: string | undefined;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

function pageOf(models: readonly ModelEntry[], query: ModelsQuery): object {
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

function positionOf(models: readonly ModelEntry[], id: string | undefined, param: string): number | undefined {
	if (id === undefined) return undefined;
	const position = models.findIndex((model) => model.id === id);
	if (position === -1) throw invalid(param, "must be the id of a model of this list");
	return position;
}

function toAnthropicModel({ id, name, contextWindow, model }: ModelEntry) {
	return {
		type: "model",
		id,
		display_name: name,
		created_at: new Date(model.firstSeen).toISOString(),
		// Models that can no longer be used are not in the catalogue.
		lifecycle: "active",
		max_input_tokens: contextWindow ?? null,
		max_tokens: null,
	};
}

function toOpenaiModel({ id, name, contextWindow, thinking, model, parameters }: ModelEntry) {
	const shared = {
		id,
		object: "model",
		created: Math.floor(model.firstSeen / 1000),
		owned_by: "cursor",
		name,
		context_window: contextWindow ?? null,
		max_context_window: model.maxContextWindow ?? null,
		capabilities: { tools: true, images: model.images, thinking },
	};
	if (parameters) {
		const of = { variant_of: offeredName(model.id), variant_parameters: parameters };
		return { ...shared, aliases: [], parameters: [], variants: [], ...of };
	}
	return {
		...shared,
		aliases: [...new Set([model.id, ...model.aliases])].filter((other) => other !== id),
		parameters: model.parameters,
		variants: model.variants.map(({ slug, displayName, parameters }) => ({ id: slug, name: displayName, parameters })),
	};
}
