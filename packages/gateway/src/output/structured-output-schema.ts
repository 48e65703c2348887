import { Ajv, type AnySchemaObject, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { MachineBusy, OutOfTime, withinTime } from "./structured-output-budget.ts";

/** The schema cannot be used to check replies. The message says why. */
export class UnusableSchema extends Error {}
/** A reply cannot be checked: the schema refers to itself endlessly, or checking takes too long. */
export class UncheckableReply extends Error {}

/** Returns what is wrong with the JSON of a reply, one line per problem. Empty if it is valid. */
export type ReplyCheck = (reply: unknown) => string[];

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Limits on computing time. A schema of ordinary size takes a hundredth of this. */
const TIMES = { compileMs: 2_000, checkMs: 500 };
const MOST_LINES = 10;
const LONGEST_LINE = 300;

const OPTIONS: Options = {
	strict: false,
	logger: false,
	allErrors: true,
	/** Inherited properties are not part of the JSON. */
	ownProperties: true,
	/** In the standard `format` is an annotation that does not have to be checked. */
	validateFormats: false,
	code: { optimize: false, regExp: Object.assign(lenientRegExp, { code: "new RegExp" }) },
};

/** The newest draft, and the older one whose way to write tuples it does not support. */
const DRAFTS = [Ajv2020, Ajv] as const;
type Draft = (typeof DRAFTS)[number];

/** Validators for schemas themselves. They are expensive to make, and keep nothing of what they check. */
const schemaCheckers = new Map<Draft, Ajv | Ajv2020>();

/**
 * Compiles a client's schema into a check of replies. The schema is untrusted: it gets a compiler instance of its own,
 * so that its ids cannot clash with those of other schemas, nothing is fetched, and compiling and checking have time
 * limits. Both block the thread that runs them for that long.
 */
export function compileReplySchema(schema: JsonSchema, { compileMs, checkMs } = TIMES): ReplyCheck {
	// `$async` is an extension of the compiler that would make the check asynchronous.
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

/** Made outside of any time budget: one that was interrupted halfway would stay broken. */
function schemaChecker(draft: Draft): Ajv | Ajv2020 {
	const known = schemaCheckers.get(draft);
	if (known) return known;
	const checker = new draft({ strict: false, logger: false });
	checker.validateSchema({});
	schemaCheckers.set(draft, checker);
	return checker;
}

function checkWith(validate: ValidateFunction, milliseconds: number): ReplyCheck {
	return (reply) => {
		try {
			if (withinTime(milliseconds, () => validate(reply)) === true) return [];
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

/** Patterns are written for many engines. Some are only legal without the flag that the standard asks for. */
function lenientRegExp(pattern: string, flags: string): RegExp {
	try {
		return new RegExp(pattern, flags);
	} catch {
		return new RegExp(pattern);
	}
}
