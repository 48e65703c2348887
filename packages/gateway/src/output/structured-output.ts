import { weight } from "../text/json-pieces.ts";
import { GatewayError } from "../turn/error.ts";
import type { OutputFormat, ToolDefinition, TurnRequest } from "../turn/request.ts";
import { callsWithResult, type FinalReply, type OutputRule, objection, type RuleOutcome } from "./output-rule.ts";
import type { CheckOutcome } from "./structured-output-check.ts";
import { jsonCandidates, parseJson } from "./structured-output-text.ts";
import { checkInThread } from "./structured-output-thread.ts";

const TOOL = "respond_with_json";
const JSON_ALONE = "Write nothing else: no words around it and no code fence.";
/** Many times the largest schema that people write. */
const MOST_CHARACTERS = 128 * 1024;

type JsonSchemaFormat = Extract<OutputFormat, { kind: "json-schema" }>;

/** Finds the JSON that was asked for among texts that may be it, the best first. */
type Search = (candidates: readonly string[]) => CheckOutcome | Promise<CheckOutcome>;

/**
 * Answers in JSON. For a schema the model gets a tool of the gateway's own, whose arguments are the answer: models keep
 * to a tool's schema far better than to words. Text that turns out to be the JSON is taken as well. Rejects where the
 * schema cannot be used.
 */
export async function structuredOutputRule(request: TurnRequest): Promise<OutputRule | undefined> {
	const { output } = request;
	if (output.kind === "text") return undefined;
	if (output.kind === "json") return textRule(request, `Answer with one JSON object. ${JSON_ALONE}`, findObject);
	const schema = schemaText(output);
	await requireUsable(schema, output.schemaParam);
	const search: Search = (candidates) =>
		checkInThread({ schema, candidates: candidates.length > 0 ? candidates : [""] });
	// The arguments of a call are an object, so an answer of another type has to be text.
	if (output.schema.type === "object") return toolRule(request, output, search);
	const demand = `Answer with JSON that is valid for this JSON schema. ${JSON_ALONE}\n${schema}`;
	return textRule(request, demand, search);
}

/** The schema as JSON. One that is far too long is not written out to find that. */
function schemaText({ schema, schemaParam }: JsonSchemaFormat): string {
	const tooLong = () => unusable(schemaParam, `it has more than ${MOST_CHARACTERS / 1024} thousand characters.`);
	// No value has less than an eighth of its weight in characters.
	if (weight(schema, 8 * MOST_CHARACTERS) > 8 * MOST_CHARACTERS) throw tooLong();
	const text = JSON.stringify(schema);
	if (text.length > MOST_CHARACTERS) throw tooLong();
	return text;
}

async function requireUsable(schema: string, param: string): Promise<void> {
	const finding = await checkInThread({ schema, candidates: [] });
	if (finding.kind === "unusable") throw unusable(param, finding.why);
	if (finding.kind === "busy") throw new GatewayError("overloaded");
}

function unusable(param: string, why: string): GatewayError {
	return new GatewayError("invalid-request", `The JSON schema for the answer cannot be used: ${why}`, { param });
}

function textRule(request: TurnRequest, demand: string, search: Search): OutputRule {
	return {
		request: { ...request, system: [...request.system, demand] },
		ownTool: undefined,
		keepsTextBesideCalls: false,
		judge: async ({ texts }) =>
			ruleOutcome(await search(jsonCandidates(texts)), (problems) =>
				objection(texts, `This answer cannot be used:\n${problems}\nAnswer again. ${demand}`),
			),
	};
}

function toolRule(request: TurnRequest, { name: format, schema }: JsonSchemaFormat, search: Search): OutputRule {
	const offered = request.toolChoice.kind === "none" ? [] : request.tools;
	const name = unusedName(offered);
	const demand = `Call the tool ${name} with the answer as its arguments.`;
	const system = [
		...request.system,
		`Give your final answer by calling the tool ${name}, once and as the last thing you do; text is not seen by anyone.`,
	];
	const description = `Gives the final answer, in the format "${format}". Call it once, alone, when you know the answer.`;
	const tools = [...offered, { name, description, inputSchema: schema, kind: "function" as const }];
	return {
		request: { ...request, tools, system, toolChoice: { kind: "auto" } },
		ownTool: name,
		keepsTextBesideCalls: false,
		judge: async ({ texts, ownCalls }: FinalReply) => {
			const candidates = [...ownCalls.map((call) => call.arguments), ...jsonCandidates(texts)];
			return ruleOutcome(await search(candidates), (problems) => {
				const problem = `This answer cannot be used:\n${problems}\n${demand}`;
				return ownCalls.length > 0 ? callsWithResult(ownCalls, problem) : objection(texts, problem);
			});
		},
	};
}

/** Throws where the answer could not be judged. */
function ruleOutcome(finding: CheckOutcome, repair: (problems: string) => ReturnType<typeof objection>): RuleOutcome {
	if (finding.kind === "fits") return { kind: "kept", text: finding.candidate };
	if (finding.kind !== "wrong") throw unjudged(finding);
	const { problems } = finding;
	return {
		kind: "wrong",
		repair: repair(problems.map((problem) => `- ${problem}`).join("\n")),
		error: new GatewayError(
			"output-invalid",
			"The model's answer is not the JSON that was asked for, also after one repair.",
			{
				detail: `The last answer: ${problems.join("; ")}.`,
			},
		),
	};
}

function unjudged({ kind }: CheckOutcome): GatewayError {
	if (kind === "busy") return new GatewayError("overloaded", "The gateway is too busy to check the answer.");
	return new GatewayError("output-invalid", "The model's answer could not be checked against the JSON schema.", {
		detail: "The schema refers to itself without end, or takes too long.",
		nextStep: "Simplify the schema.",
	});
}

function unusedName(tools: readonly ToolDefinition[]): string {
	const names = new Set(tools.map(({ name }) => name));
	let name = TOOL;
	for (let number = 2; names.has(name); number++) name = `${TOOL}_${number}`;
	return name;
}

/** For answers without a schema: any object will do. */
function findObject(candidates: readonly string[]): CheckOutcome {
	const values = candidates.map(parseJson);
	const at = values.findIndex((value) => typeof value === "object" && value !== null && !Array.isArray(value));
	if (at >= 0) return { kind: "fits", candidate: candidates[at]! };
	const isJson = values.some((value) => value !== undefined);
	return { kind: "wrong", problems: [isJson ? "the answer must be a JSON object" : "it is not JSON"] };
}
