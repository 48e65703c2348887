import type * as z from "zod";
import { GatewayError } from "../../turn/error.ts";

const MAX_PARAM_LENGTH = 200;

/** The request is wrong at `param`, a path such as `messages[2].content`; the empty path is the whole body. */
export function invalid(param: string, problem: string): GatewayError {
	return new GatewayError("invalid-request", `${param || "The body"} ${problem}.`, param ? { param } : {});
}

/** The body as the schema describes it. What is wrong first is told by its path and what is expected there. */
export function parseWith<T>(schema: z.ZodType<T>, body: unknown): T {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	throw issueError(result.error.issues[0] as Issue, body);
}

/** What an issue of a schema says about a value, which stands at `param` of the body. */
export function issueError(found: Issue, value: unknown, param?: string): GatewayError {
	const issue = deepest(found);
	const isMissing = valueAt(value, issue.path) === undefined;
	const path = param === undefined ? issue.path : [param, ...issue.path];
	return invalid(toParam(path), `${isMissing ? "is required and " : ""}must be ${expectationOf(issue)}`);
}

type Issue = z.core.$ZodIssue;

/** Of the ways in which a value fits no member of a union, the one that got furthest is what the client meant. */
function deepest(issue: Issue): Issue {
	if (issue.code !== "invalid_union") return issue;
	const [best] = issue.errors
		.flatMap((errors) => errors.slice(0, 1))
		.map(deepest)
		.filter(({ path }) => path.length > 0)
		.sort((a, b) => b.path.length - a.path.length);
	return best ? { ...best, path: [...issue.path, ...best.path] } : issue;
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce((value, key) => (value as Partial<Record<PropertyKey, unknown>> | undefined)?.[key], body);
}

function expectationOf(issue: Issue): string {
	switch (issue.code) {
		case "invalid_type":
			return TYPES[issue.expected] ?? issue.expected;
		case "invalid_value":
			return `one of ${issue.values.map(String).join(", ")}`;
		case "invalid_union":
			return [...new Set(issue.errors.flatMap((errors) => errors.slice(0, 1).map(expectationOf)))].join(" or ");
		case "too_big":
			return `at most ${issue.maximum}${UNITS[issue.origin] ?? ""}`;
		case "too_small":
			return issue.origin === "string" ? "a string that is not empty" : `at least ${issue.minimum}`;
		default:
			return issue.message;
	}
}

const TYPES: Readonly<Record<string, string>> = {
	string: "a string",
	number: "a number",
	int: "a whole number",
	boolean: "true or false",
	array: "an array",
	object: "an object",
	record: "an object",
};
const UNITS: Readonly<Record<string, string>> = { string: " characters long", array: " items long" };

/** A path as people write it in JavaScript. Names that come from the client are quoted unless they are plain. */
export function toParam(path: readonly PropertyKey[]): string {
	const param = path.map((key) => (typeof key === "number" ? `[${key}]` : toMember(String(key)))).join("");
	return param.replace(/^\./, "").slice(0, MAX_PARAM_LENGTH);
}

function toMember(key: string): string {
	return /^\w{1,64}$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
