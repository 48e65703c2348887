import type {
	AvailableModelsResponse,
	AvailableModelsResponse_AvailableModel,
	AvailableModelsResponse_ModelVariantConfig,
	ModelParameterDefinition,
} from "@cursorwire/protocol/aiserver";
import type { ListedModel, ListedVariant } from "./model-lists.ts";

/** AvailableModels: the richest list. Older backends fill in only the names. */
export function fromAvailable({
	models,
	modelNames,
}: Pick<AvailableModelsResponse, "models" | "modelNames">): ListedModel[] {
	const listed = models.filter(({ name }) => name !== "").map(toListed);
	const known = new Set(listed.map(({ id }) => id));
	const bare = modelNames.filter((id) => id !== "" && !known.has(id));
	return [...listed, ...bare.map((id) => ({ id, aliases: [], parameters: [], variants: [] }))];
}

function toListed(model: AvailableModelsResponse_AvailableModel): ListedModel {
	const id = model.name;
	return {
		id,
		displayName: model.clientDisplayName || undefined,
		// A legacy slug that extends the id names a variant, not the model.
		aliases: [...model.idAliases, ...model.legacySlugs.filter((slug) => !slug.startsWith(`${id}-`))],
		contextWindow: model.contextTokenLimit || undefined,
		maxContextWindow: model.contextTokenLimitForMaxMode || undefined,
		maxMode: model.supportsMaxMode,
		thinking: model.supportsThinking,
		images: model.supportsImages,
		parameters: model.parameterDefinitions.map((definition) => ({
			id: definition.id,
			values: valuesOf(definition),
		})),
		variants: model.variants.map(toVariant),
		hidden: model.isHidden === true || model.onlySupportsCmdK === true || model.supportsAgent === false || undefined,
	};
}

function valuesOf({ parameterType }: ModelParameterDefinition): string[] {
	const values = parameterType?.enumParameter?.values ?? parameterType?.booleanParameter?.values ?? [];
	return values.map(({ value }) => value);
}

function toVariant(variant: AvailableModelsResponse_ModelVariantConfig): ListedVariant {
	return {
		slug: variant.legacySlug || variant.variantStringRepresentation || undefined,
		parameters: Object.fromEntries(variant.parameterValues.map(({ id, value }) => [id, value])),
		displayName: variant.displayName || undefined,
		isDefault: variant.isDefaultNonMaxConfig === true,
		maxMode: variant.isMaxMode,
	};
}
