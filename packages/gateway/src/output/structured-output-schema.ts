import { Ajv, type AnySchemaObject, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { MachineBusy, OutOfTime, withinTime } from "./structured-output-budget.ts";

/** The schema is none that an answer can be held to; the message says why. */
export class UnusableSchema extends Error {}
/** Whether an answer fits cannot be told: the schema refers to itself without end, or checking takes too long. */
export class UncheckableReply extends Error {}

/** What is wrong with an answer, one line each; empty where it fits. */
export type ReplyCheck = (answer: unknown) => string[];

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Computing time. A schema of common size takes a hundredth of this. */
const TIMES = { compileMs: 2_000, checkMs: 500 };
const MOST_LINES = 10;
const LONGEST_LINE = 300;

const OPTIONS: Options = {
	strict: false,
	logger: false,
	allErrors: true,
	/** What an object inherits is not in the JSON. */
	ownProperties: true,
	/** By the standard `format` is a remark and no demand. */
	validateFormats: false,
	code: { optimize: false, regExp: Object.assign(lenientRegExp, { code: "new RegExp" }) },
};

/** The newest draft, and the one whose tuples it does not understand. */
const DRAFTS = [Ajv2020, Ajv] as const;
type Draft = (typeof DRAFTS)[number];

/** Checks schemas against their own schema; these are costly to make and keep nothing of what they check. */
const schemaCheckers = new Map<Draft, Ajv | Ajv2020>();

/**
 * Makes a check of a client's schema. The schema is a stranger's: it is compiled in an instance of its own, so that ids
 * in it meet no one else's, nothing is fetched, and neither compiling nor checking can take longer than its time. Both
 * hold up the thread that does them for that long.
 */
export function compileReplySchema(schema: JsonSchema, { compileMs, checkMs } = TIMES): ReplyCheck {
	// `$async` means something to the compiler alone: a check that answers later.
	const { $schema: _draft, $async: _later, ...own } = schema;
	let refusal: unknown;
	for (const draft of DRAFTS) {
		try {
			return checkWith(compile(draft, own, compileMs), checkMs);
		} catch (error) {
			if (error instanceof MachineBusy) throw error;
			if (error instanceof OutOfTime) throw new UnusableSchema("it is too complex.");
			refusal ??= error;
		}
	}
	throw new UnusableSchema((refusal as Error).message);
}

function compile(draft: Draft, schema: AnySchemaObject, milliseconds: number): ValidateFunction {
	const checker = schemaChecker(draft);
	return withinTime(milliseconds, () => {
		if (checker.validateSchema(schema) !== true)
			throw new Error(`${checker.errorsText(checker.errors, { dataVar: "schema" }).slice(0, LONGEST_LINE)}.`);
		return new draft({ ...OPTIONS, meta: false, validateSchema: false }).compile(schema);
	});
}

/** Made outside of any time budget: one that was cut off in the middle would stay broken. */
function schemaChecker(draft: Draft): Ajv | Ajv2020 {
	const known = schemaCheckers.get(draft);
	if (known) return known;
	const checker = new draft({ strict: false, logger: false });
	checker.validateSchema({});
	schemaCheckers.set(draft, checker);
	return checker;
}

function checkWith(validate: ValidateFunction, milliseconds: number): ReplyCheck {
	return (answer) => {
		try {
			if (withinTime(milliseconds, () => validate(answer)) === true) return [];
		} catch (error) {
			throw error instanceof MachineBusy ? error : new UncheckableReply();
		}
		const lines = (validate.errors ?? []).slice(0, MOST_LINES).map(lineOf);
		return lines.length > 0 ? lines : ["the answer is not valid"];
	};
}

function lineOf({ instancePath, message, params }: ErrorObject): string {
	const { additionalProperty, allowedValues, allowedValue } = params as Record<string, unknown>;
	const named = additionalProperty ?? allowedValues ?? allowedValue;
	const hint = named === undefined ? "" : `: ${JSON.stringify(named)}`;
	return `${instancePath || "the answer"} ${message}${hint}`.slice(0, LONGEST_LINE);
}

/** Patterns are written for many engines; some are legal only without the flag that the standard wants. */
function lenientRegExp(pattern: string, flags: string): RegExp {
	try {
		return new RegExp(pattern, flags);
	} catch {
		return new RegExp(pattern);
	}
}
