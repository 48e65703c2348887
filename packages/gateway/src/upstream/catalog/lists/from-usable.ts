import type { GetUsableModelsResponse } from "@cursorwire/protocol/agent";
import { type ListedModel, listedModel } from "./model-lists.ts";

/** GetUsableModels: a flat list of ids, with variants listed by slug. */
export function fromUsable({ models }: Pick<GetUsableModelsResponse, "models">): ListedModel[] {
	return models
		.filter(({ modelId }) => modelId !== "")
		.map((model) => ({
			...listedModel(model.modelId),
			displayName: model.displayName || model.displayNameShort || undefined,
			aliases: [...model.aliases],
			thinking: model.thinkingDetails !== undefined,
		}));
}
