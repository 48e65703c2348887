import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
	GetDefaultModelForCliResponseSchema,
	GetUsableModelsResponseSchema,
	ModelDetailsSchema,
} from "@cursorwire/protocol/agent";
import type { AvailableModelsResponseSchema } from "@cursorwire/protocol/aiserver";
import type { Model } from "../accounts/model-catalog.ts";

/** AgentService/GetUsableModels: every variant under its flattened id. */
export function usableModels(models: readonly Model[]): MessageInitShape<typeof GetUsableModelsResponseSchema> {
	return { models: models.flatMap((model) => flattened(model)) };
}

function flattened(model: Model): MessageInitShape<typeof ModelDetailsSchema>[] {
	const details = (modelId: string, displayName: string, aliases: string[], thinking: boolean) => ({
		modelId,
		displayModelId: modelId,
		displayName,
		displayNameShort: displayName,
		aliases,
		...(thinking && { thinkingDetails: {} }),
	});
	if (model.variants.length === 0) return [details(model.id, model.displayName, model.aliases, model.thinking)];
	return model.variants.map((variant) =>
		details(
			variant.slug,
			variant.displayName,
			variant.isDefault ? model.aliases : [],
			model.thinking && variant.parameters.thinking !== "false",
		),
	);
}

export function defaultModel(models: readonly Model[]): MessageInitShape<typeof GetDefaultModelForCliResponseSchema> {
	const model = models.find(({ id }) => id === "composer-1") ?? models[0]!;
	return { model: flattened(model)[0]! };
}

/** AiService/AvailableModels: base ids with limits, parameters and variants. */
export function availableModels(models: readonly Model[]): MessageInitShape<typeof AvailableModelsResponseSchema> {
	return {
		modelNames: models.map(({ id }) => id),
		models: models.map((model) => ({
			name: model.id,
			defaultOn: true,
			supportsAgent: true,
			supportsThinking: model.thinking,
			supportsImages: model.images,
			supportsMaxMode: model.maxModeContextTokens !== undefined,
			supportsNonMaxMode: true,
			contextTokenLimit: model.contextTokens,
			contextTokenLimitForMaxMode: model.maxModeContextTokens,
			clientDisplayName: model.displayName,
			serverModelName: model.id,
			vendorName: model.vendor,
			idAliases: model.aliases,
			legacySlugs: model.variants.map(({ slug }) => slug).filter((slug) => slug !== model.id),
			parameterDefinitions: model.parameters.map((parameter) => ({
				id: parameter.id,
				name: parameter.displayName,
				parameterType: isBoolean(parameter.values)
					? { booleanParameter: { values: parameter.values.map((value) => ({ value })) } }
					: { enumParameter: { values: parameter.values.map((value) => ({ value })) } },
			})),
			variants: model.variants.map((variant) => ({
				parameterValues: Object.entries(variant.parameters).map(([id, value]) => ({ id, value })),
				displayName: variant.displayName,
				isDefaultNonMaxConfig: variant.isDefault || undefined,
				variantStringRepresentation: variant.slug,
				legacySlug: variant.slug,
			})),
		})),
	};
}

const isBoolean = (values: readonly string[]) => values.every((value) => value === "true" || value === "false");

/** GET /v1/models, the list of Cursor's public REST API. */
export function restModels(models: readonly Model[]) {
	return {
		items: models.map((model) => ({
			id: model.id,
			displayName: model.displayName,
			aliases: model.aliases,
			parameters: model.parameters.map(({ id, displayName, values }) => ({
				id,
				displayName,
				values: values.map((value) => ({ value })),
			})),
			variants: model.variants.map(({ parameters, displayName, isDefault }) => ({
				params: Object.entries(parameters).map(([id, value]) => ({ id, value })),
				displayName,
				...(isDefault && { isDefault }),
			})),
		})),
	};
}
