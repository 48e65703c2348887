import { GatewayError } from "../turn/error.ts";
import type { OutputFormat, ToolDefinition, TurnRequest } from "../turn/request.ts";
import { type FinalResponse, type OutputRule, objection, replyToCalls, type Verdict } from "./output-rule.ts";
import { type AnswerCheck, compileAnswerSchema } from "./structured-output-schema.ts";
import { jsonCandidates, parseJson } from "./structured-output-text.ts";

const TOOL = "respond_with_json";
const JSON_ALONE = "Write nothing else: no words around it and no code fence.";

/**
 * Answers in JSON. For a schema the model gets a tool of the gateway's own, whose arguments are the answer: models keep
 * to a tool's schema far better than to words. Text that turns out to be the JSON is taken as well.
 */
export function structuredOutputRule(request: TurnRequest): OutputRule | undefined {
	const { output } = request;
	if (output.kind === "text") return undefined;
	if (output.kind === "json") return textRule(request, `Answer with one JSON object. ${JSON_ALONE}`, checkObject);
	const check = compileAnswerSchema(output.schema, output.schemaParam);
	// The arguments of a call are an object, so an answer of another type has to be text.
	if (output.schema.type === "object") return toolRule(request, output, check);
	const demand = `Answer with JSON that is valid for this JSON schema. ${JSON_ALONE}\n${JSON.stringify(output.schema)}`;
	return textRule(request, demand, check);
}

function textRule(request: TurnRequest, demand: string, check: AnswerCheck): OutputRule {
	return {
		request: { ...request, system: [...request.system, demand] },
		ownTool: undefined,
		keepsTextBesideCalls: false,
		judge: ({ texts }) =>
			judgeJson(jsonCandidates(texts), check, (problems) =>
				objection(texts, `This answer cannot be used:\n${problems}\nAnswer again. ${demand}`),
			),
	};
}

function toolRule(
	request: TurnRequest,
	{ name: format, schema }: Extract<OutputFormat, { kind: "json-schema" }>,
	check: AnswerCheck,
): OutputRule {
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
		judge: ({ texts, ownCalls }: FinalResponse) =>
			judgeJson([...ownCalls.map((call) => call.arguments), ...jsonCandidates(texts)], check, (problems) => {
				const problem = `This answer cannot be used:\n${problems}\n${demand}`;
				return ownCalls.length > 0 ? replyToCalls(ownCalls, problem) : objection(texts, problem);
			}),
	};
}

/** The first candidate that fits, as the model wrote it; otherwise what is wrong with the first that is JSON at all. */
function judgeJson(
	candidates: readonly string[],
	check: AnswerCheck,
	repair: (problems: string) => ReturnType<typeof objection>,
): Verdict {
	let problems: string[] | undefined;
	for (const text of candidates) {
		const answer = parseJson(text);
		if (answer === undefined) continue;
		const found = check(answer);
		if (found.length === 0) return { kind: "answer", text };
		problems ??= found;
	}
	problems ??= ["it is not JSON"];
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

function unusedName(tools: readonly ToolDefinition[]): string {
	const names = new Set(tools.map(({ name }) => name));
	let name = TOOL;
	for (let number = 2; names.has(name); number++) name = `${TOOL}_${number}`;
	return name;
}

function checkObject(answer: unknown): string[] {
	const isObject = typeof answer === "object" && answer !== null && !Array.isArray(answer);
	return isObject ? [] : ["the answer must be a JSON object"];
}
