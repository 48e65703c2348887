// The gateway's list of models as OpenCode's settings describe them.

/** What is used of an entry of `GET /v1/models`. */
export interface GatewayModel {
	id: string;
	name: string;
	context_window: number | null;
	capabilities: { tools: boolean; images: boolean; thinking: boolean };
	parameters: { id: string; values: string[] }[];
	variants: { id: string; name: string; parameters: Record<string, string> }[];
	/** The model that this is a variant of. */
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

/** Parameters of Cursor's models that carry an effort, whichever of them a model has. */
const EFFORT_PARAMETERS = ["reasoning", "effort"];
/** What OpenCode offers for a model that thinks, where it is not told otherwise. */
const OFFERED_UNASKED = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
const USUAL_CONTEXT = 200_000;
/** Cursor does not tell; as much as OpenCode keeps free for an answer. */
const OUTPUT = 32_000;

/** Every model, and every variant of one that differs in more than its effort, which OpenCode sets by itself. */
export function toOpencodeModels(models: readonly GatewayModel[]): Record<string, OpencodeModel> {
	const whole = models.filter(({ variant_of }) => variant_of === undefined);
	const entries = whole.flatMap((model) => [
		[model.id, toOpencodeModel(model, model.name, effortsOf(model))] as const,
		...model.variants
			.filter(isOfItsOwn)
			.map((variant) => [variant.id, toOpencodeModel(model, variant.name, [])] as const),
	]);
	return Object.fromEntries(entries);
}

function toOpencodeModel(model: GatewayModel, name: string, efforts: readonly string[]): OpencodeModel {
	const { images, thinking, tools } = model.capabilities;
	return {
		name,
		attachment: images,
		reasoning: thinking,
		tool_call: tools,
		// It would have no effect: Cursor takes none.
		temperature: false,
		limit: { context: model.context_window ?? USUAL_CONTEXT, output: OUTPUT },
		// The subscription pays.
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

/** `gpt-5.4-high-fast`: not to be had by choosing an effort. */
function isOfItsOwn({ parameters }: GatewayModel["variants"][number]): boolean {
	return Object.entries(parameters).some(
		([id, value]) => id !== "thinking" && !EFFORT_PARAMETERS.includes(id) && value !== "false",
	);
}
