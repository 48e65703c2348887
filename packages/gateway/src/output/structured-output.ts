import { weight } from "../text/json-pieces.ts";
import { GatewayError } from "../turn/error.ts";
import type { OutputFormat, ToolDefinition, TurnRequest } from "../turn/request.ts";
import { callsWithResult, type FinalReply, type OutputRule, objection, type RuleOutcome } from "./output-rule.ts";
import type { CheckOutcome } from "./structured-output-check.ts";
import { jsonCandidates, parseJson } from "./structured-output-text.ts";
import { checkInThread } from "./structured-output-thread.ts";

const TOOL = "respond_with_json";
const JSON_ALONE = "Write nothing else: no words around it and no code fence.";
/** Many times the size of the largest schemas that people write. */
const MOST_CHARACTERS = 128 * 1024;

type JsonSchemaFormat = Extract<OutputFormat, { kind: "json-schema" }>;

/** Finds the requested JSON among texts that may contain it, the most likely first. */
type Search = (candidates: readonly string[]) => CheckOutcome | Promise<CheckOutcome>;

/**
 * The rule for replies in JSON. If the request has a schema, the model gets a tool of the gateway's own, whose
 * arguments are the reply: models follow a tool's schema far better than instructions. Text that turns out to be the
 * JSON is accepted too. Rejects if the schema cannot be used.
 */
export async function structuredOutputRule(request: TurnRequest): Promise<OutputRule | undefined> {
	const { output } = request;
	if (output.kind === "text") return undefined;
	if (output.kind === "json") return textRule(request, `Answer with one JSON object. ${JSON_ALONE}`, findObject);
	const schema = schemaText(output);
	await requireUsable(schema, output.schemaParam);
	const search: Search = (candidates) =>
		checkInThread({ schema, candidates: candidates.length > 0 ? candidates : [""] });
	// The arguments of a call are always an object, so JSON of another type has to come as text.
	if (output.schema.type === "object") return toolRule(request, output, search);
	const demand = `Answer with JSON that is valid for this JSON schema. ${JSON_ALONE}\n${schema}`;
	return textRule(request, demand, search);
}

/** The schema as JSON text. One that is far too long is refused before it is written out. */
function schemaText({ schema, schemaParam }: JsonSchemaFormat): string {
	const tooLong = () => unusable(schemaParam, `it has more than ${MOST_CHARACTERS / 1024} thousand characters.`);
	// The text of a value has at least an eighth of its weight in characters.
	if (weight(schema, 8 * MOST_CHARACTERS) > 8 * MOST_CHARACTERS) throw tooLong();
	const text = JSON.stringify(schema);
	if (text.length > MOST_CHARACTERS) throw tooLong();
	return text;
}

async function requireUsable(schema: string, param: string): Promise<void> {
	const outcome = await checkInThread({ schema, candidates: [] });
	if (outcome.kind === "unusable") throw unusable(param, outcome.why);
	if (outcome.kind === "busy") throw new GatewayError("overloaded");
}

function unusable(param: string, why: string): GatewayError {
	return new GatewayError("invalid-request", `The JSON schema for the reply cannot be used: ${why}`, { param });
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

/** Turns a finished check into an outcome of the rule. Throws if the reply could not be checked. */
function ruleOutcome(outcome: CheckOutcome, repair: (problems: string) => ReturnType<typeof objection>): RuleOutcome {
	if (outcome.kind === "fits") return { kind: "kept", text: outcome.candidate };
	if (outcome.kind !== "wrong") throw unjudged(outcome);
	const { problems } = outcome;
	return {
		kind: "wrong",
		repair: repair(problems.map((problem) => `- ${problem}`).join("\n")),
		error: new GatewayError(
			"output-invalid",
			"The model's reply is not the JSON that was asked for, even after one attempt to repair it.",
			{
				detail: `The last reply: ${problems.join("; ")}.`,
			},
		),
	};
}

function unjudged({ kind }: CheckOutcome): GatewayError {
	if (kind === "busy") return new GatewayError("overloaded", "The gateway is too busy to check the reply.");
	return new GatewayError("output-invalid", "The model's reply could not be checked against the JSON schema.", {
		detail: "The schema refers to itself endlessly, or checking takes too long.",
		nextStep: "Simplify the schema.",
	});
}

function unusedName(tools: readonly ToolDefinition[]): string {
	const names = new Set(tools.map(({ name }) => name));
	let name = TOOL;
	for (let number = 2; names.has(name); number++) name = `${TOOL}_${number}`;
	return name;
}

/** For replies without a schema: any JSON object is accepted. */
function findObject(candidates: readonly string[]): CheckOutcome {
	const values = candidates.map(parseJson);
	const at = values.findIndex((value) => typeof value === "object" && value !== null && !Array.isArray(value));
	if (at >= 0) return { kind: "fits", candidate: candidates[at]! };
	const isJson = values.some((value) => value !== undefined);
	return { kind: "wrong", problems: [isJson ? "the answer must be a JSON object" : "it is not JSON"] };
}
