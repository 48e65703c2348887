import { GatewayError } from "../turn/error.ts";
import type { ModelInfo } from "../upstream/catalog/model.ts";
import type { CursorAccount } from "../upstream/cursor-account.ts";

/** `GET /v1/models`: OpenAI's form, with what is known beyond it as further fields. */
export async function listModels(account: CursorAccount): Promise<object> {
	const { models } = await account.facts.catalog.current();
	return { object: "list", data: models.map(toModel) };
}

/** `GET /v1/models/{id}`, by id, alias or the name of a variant. */
export async function getModel(account: CursorAccount, name: string): Promise<object> {
	const { model } = await account.facts.catalog.resolve({ name });
	if (model) return { ...toModel(model), id: name };
	const near = account.facts.catalog.suggest(name);
	throw new GatewayError(
		"model-not-found",
		undefined,
		near.length > 0 ? { detail: `Did you mean ${near.join(", ")}?` } : {},
	);
}

function toModel(model: ModelInfo) {
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
