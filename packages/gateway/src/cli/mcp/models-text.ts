import { count, type Found, lines } from "./found.ts";

/** What is used here of `GET /v1/models`. */
export interface ListedModels {
	data: {
		id: string;
		name?: string;
		context_window?: number | null;
		capabilities?: { thinking?: boolean; images?: boolean };
		variant_of?: string;
	}[];
}

type Listed = ListedModels["data"][number];

export function modelsText({ data }: ListedModels, search: string | undefined): Found {
	const wanted = search?.trim().toLowerCase() ?? "";
	const isMeant = ({ id, name = "" }: Listed) => `${id}\n${name}`.toLowerCase().includes(wanted);
	const models = data.filter(({ variant_of }) => variant_of === undefined);
	const variantsOf = (model: Listed) => data.filter(({ variant_of }) => variant_of === model.id);
	const found = models.filter((model) => [model, ...variantsOf(model)].some(isMeant));
	const text = lines(
		`${found.length} of ${models.length} models:`,
		found.map((model) => modelLine(model, variantsOf(model))),
	);
	return { text, data: { models: found.map((model) => entry(model, variantsOf(model))) } };
}

function modelLine({ id, name, context_window, capabilities }: Listed, variants: readonly Listed[]): string {
	const facts = [
		context_window ? `${count(context_window)} tokens` : "window unknown",
		...(capabilities?.thinking ? ["thinks"] : []),
		...(capabilities?.images ? ["reads images"] : []),
		...(variants.length > 0 ? [`variants ${variants.map((variant) => variant.id).join(" ")}`] : []),
	];
	return `${id} (${name ?? id}): ${facts.join(", ")}`;
}

const entry = ({ id, name, context_window, capabilities }: Listed, variants: readonly Listed[]) => ({
	id,
	name: name ?? id,
	context_window: context_window ?? null,
	thinking: capabilities?.thinking ?? false,
	images: capabilities?.images ?? false,
	variants: variants.map((variant) => variant.id),
});
