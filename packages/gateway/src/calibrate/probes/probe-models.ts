import type { ModelInfo } from "../../upstream/catalog/model.ts";
import { longWindow } from "../../upstream/catalog/names/window-suffix.ts";
import type { WireModel } from "../../upstream/protocols/driver.ts";

/** One variant of a model, in both forms of its name. */
export interface VariantNames {
	parameters: WireModel;
	flattened: WireModel;
}

/** The cheapest variant that can be named in both forms. Models of the automatic pool come first. */
export function variantToAskFor(models: readonly ModelInfo[]): VariantNames | undefined {
	const found = models.flatMap((model) =>
		model.variants.flatMap((variant) => (hasTwoNames(model, variant) ? [{ model, variant }] : [])),
	);
	const cost = ({ model, variant }: (typeof found)[number]) =>
		(model.pool === "auto" ? 0 : 2) + (/low|fast|mini/.test(variant.slug) ? 0 : 1);
	const [cheapest] = found.sort((one, other) => cost(one) - cost(other));
	if (!cheapest) return undefined;
	const { model, variant } = cheapest;
	const wire = (id: string, parameters: Record<string, string>) => ({
		id,
		parameters,
		maxMode: false,
		name: variant.slug,
	});
	return { parameters: wire(model.id, variant.parameters), flattened: wire(variant.slug, {}) };
}

function hasTwoNames({ id, parameters }: ModelInfo, variant: ModelInfo["variants"][number]): boolean {
	const names = Object.keys(variant.parameters);
	const isDefined = names.every((name) => parameters.some((parameter) => parameter.id === name));
	return variant.slug !== id && names.length > 0 && isDefined && !variant.maxMode;
}

/** A model whose long context is chosen by a parameter. */
export function longContextModel(models: readonly ModelInfo[]): WireModel | undefined {
	for (const model of models) {
		const size = longWindow(model);
		const isParameter = model.parameters.some(({ id, values }) => id === "context" && values.includes(size ?? ""));
		if (size !== undefined && isParameter) {
			return { id: model.id, parameters: { context: size }, maxMode: false, name: model.id };
		}
	}
	return undefined;
}
