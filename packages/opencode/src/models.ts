// The gateway's list of models in the form of OpenCode's settings.

/** The fields used here of an entry of `GET /v1/models`. */
export interface GatewayModel {
	id: string;
	name: string;
	context_window: number | null;
	capabilities: { tools: boolean; images: boolean; thinking: boolean };
	parameters: { id: string; values: string[] }[];
	variants: { id: string; name: string; parameters: Record<string, string> }[];
	/** The model that this one is a variant of. */
	variant_of?: string;
}

interface OpencodeModel {
	name: string;
	attachment: boolean;
	reasoning: boolean;
	tool_call: boolean;
	temperature: boolean;
	limit: { context: number; output: number };
	cost: { input: number; output: number; cache_read: number; cache_write: number };
	modalities: { input: ("text" | "image")[]; output: "text"[] };
	variants: Record<string, { reasoningEffort: string } | { disabled: true }>;
}

/** Parameters of Cursor's models that set an effort. A model has one of them. */
const EFFORT_PARAMETERS = ["reasoning", "effort"];
/** The efforts that OpenCode offers by default for a model that thinks. */
const OFFERED_UNASKED = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
const USUAL_CONTEXT = 200_000;
/** Cursor does not say, so this is what OpenCode reserves for a reply. */
const OUTPUT = 32_000;

/** Every model, and every variant that differs in more than its effort, which OpenCode sets separately. */
export function toOpencodeModels(models: readonly GatewayModel[]): Record<string, OpencodeModel> {
	const listed = new Map(models.map((model) => [model.id, model]));
	const whole = models.filter(({ variant_of }) => variant_of === undefined);
	const entries = whole.flatMap((model) => [
		[model.id, toOpencodeModel(model, model.name, effortsOf(model))] as const,
		// Its long window, `model[1m]`, has the model's efforts as well.
		...models
			.filter((each) => isLongWindow(each, model))
			.map((each) => [each.id, toOpencodeModel(each, each.name, effortsOf(model))] as const),
		...model.variants.filter(isOfItsOwn).map((variant) => {
			// The variant's own line has its own window.
			const line = listed.get(variant.id) ?? model;
			return [variant.id, toOpencodeModel(line, variant.name, [])] as const;
		}),
	]);
	return Object.fromEntries(entries);
}

const isLongWindow = ({ id, variant_of }: GatewayModel, model: GatewayModel): boolean =>
	variant_of === model.id && id.startsWith(`${model.id}[`);

function toOpencodeModel(model: GatewayModel, name: string, efforts: readonly string[]): OpencodeModel {
	const { images, thinking, tools } = model.capabilities;
	const context = model.context_window ?? USUAL_CONTEXT;
	return {
		name,
		attachment: images,
		reasoning: thinking,
		tool_call: tools,
		// Cursor has no such parameter, so it would have no effect.
		temperature: false,
		limit: { context, output: Math.min(OUTPUT, Math.floor(context / 4)) },
		// The subscription covers the cost.
		cost: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
		modalities: { input: images ? ["text", "image"] : ["text"], output: ["text"] },
		variants: {
			...Object.fromEntries(OFFERED_UNASKED.map((effort) => [effort, { disabled: true as const }])),
			...Object.fromEntries(efforts.map((effort) => [effort, { reasoningEffort: effort }])),
		},
	};
}

function effortsOf({ parameters }: GatewayModel): string[] {
	const valuesOf = (id: string) => parameters.find((parameter) => parameter.id === id)?.values ?? [];
	const canRest = valuesOf("thinking").includes("false");
	const efforts = EFFORT_PARAMETERS.flatMap(valuesOf);
	return [...new Set([...(canRest ? ["none"] : []), ...efforts])];
}

/** A variant such as `gpt-5.4-high-fast`, which cannot be chosen by its effort. */
function isOfItsOwn({ parameters }: GatewayModel["variants"][number]): boolean {
	return Object.entries(parameters).some(
		([id, value]) => id !== "thinking" && !EFFORT_PARAMETERS.includes(id) && value !== "false",
	);
}
