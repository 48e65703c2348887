import { Ajv } from "ajv";
import type { Action } from "cursorwire-emulator";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { structuredOutputRule } from "../../src/output/structured-output.ts";
import { emptyRequest, type TurnRequest } from "../../src/turn/request.ts";
import { until } from "../kit/cleanup.ts";
import { answer, format, type Step, startRig, user } from "./rig.ts";

// Whatever a client demands and a model says: the client gets JSON that is valid for its schema, or an error.

type Schema = Record<string, unknown>;

interface Said {
	how: "call" | "text" | "fence";
	value: unknown;
}

const name = fc.constantFrom("a", "b", "c");
const word = fc.constantFrom("", "x", "yes", "ä€😀");
const small = fc.integer({ min: -2, max: 4 });

const { schema, object } = fc.letrec<{ schema: Schema; leaf: Schema; object: Schema; list: Schema }>((tie) => ({
	schema: fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("object"), tie("list"), fc.record({ anyOf: pair(tie("schema")) })),
	leaf: fc.oneof(
		fc.record({ type: fc.constant("string"), minLength: small.map(Math.abs) }),
		fc.record({ type: fc.constant("string"), pattern: fc.constantFrom("^x", "s$", "[^\\-]") }),
		fc.record({ type: fc.constant("integer"), minimum: small }),
		fc.record({ type: fc.constant(["boolean", "null"]) }),
		fc.record({ enum: fc.uniqueArray(fc.oneof(word, small), { minLength: 1, maxLength: 3 }) }),
	),
	object: fc.record({
		type: fc.constant("object"),
		properties: fc.dictionary(name, tie("schema"), { maxKeys: 3, noNullPrototype: true }),
		required: fc.uniqueArray(name, { maxLength: 2 }),
		additionalProperties: fc.boolean(),
	}),
	list: fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: small.map(Math.abs) }),
}));

function pair(each: fc.Arbitrary<Schema>): fc.Arbitrary<Schema[]> {
	return fc.array(each, { minLength: 1, maxLength: 2 });
}

/** Values of about the right shape: some are valid, and most of the others nearly so. */
const value = fc.letrec((tie) => ({
	any: fc.oneof({ maxDepth: 3 }, word, small, fc.constant(null), tie("object"), fc.array(tie("any"), { maxLength: 3 })),
	object: fc.dictionary(name, tie("any"), { maxKeys: 3, noNullPrototype: true }),
}));

/** Values that fit, unless the schema contradicts itself. */
function fitting(demanded: Schema): fc.Arbitrary<unknown> {
	const { type, properties, required, items, maxItems, minimum, anyOf, enum: choices } = demanded;
	if (anyOf) return fc.oneof(...(anyOf as Schema[]).map(fitting));
	if (choices) return fc.constantFrom(...(choices as unknown[]));
	if (type === "string") return fc.constantFrom("xxxxs", "x is yes");
	if (type === "integer") return small.map((more) => (minimum as number) + Math.abs(more));
	if (type === "array") return fc.array(fitting(items as Schema), { maxLength: maxItems as number });
	if (type !== "object") return fc.constantFrom(true, null);
	const members = Object.entries(properties as Record<string, Schema>).map(([key, each]) => [key, fitting(each)]);
	const others = (required as string[]).map((key) => [key, small]);
	return fc.record(Object.fromEntries([...others, ...members]), { noNullPrototype: true });
}

const demand = fc.oneof({ weight: 3, arbitrary: object }, schema);
const conversation = demand.chain((demanded) => {
	const given = fc.oneof(fitting(demanded), value.any);
	const said: fc.Arbitrary<Said> = fc
		.record({ how: fc.constantFrom("call" as const, "text" as const, "fence" as const), value: given })
		.map(({ how, value }) => ({ how: how === "call" && !canBeCalled(demanded, value) ? "text" : how, value }));
	return fc.record({ demanded: fc.constant(demanded), first: said, second: said, stream: fc.boolean() });
});

/** Only answers that are objects can be given to a tool. */
function canBeCalled(demanded: Schema, given: unknown): boolean {
	return demanded.type === "object" && typeof given === "object" && given !== null && !Array.isArray(given);
}

function isValid(demanded: Schema, given: unknown): boolean {
	return new Ajv({ strict: false }).validate(demanded, given) === true;
}

const inFence = (given: unknown) => `So:\n\`\`\`json\n${JSON.stringify(given)}\n\`\`\`\n`;

describe("for any schema and any answers", () => {
	it("the client gets the first of two answers that is valid, or an error", async () => {
		let script: Said[] = [];
		const next = (): Action => {
			const now = script.shift()!;
			if (now.how === "call") return answer(now.value as object);
			return { text: now.how === "fence" ? inFence(now.value) : JSON.stringify(now.value) };
		};
		// A run that has answered in text is over; one that made a call goes on with its result.
		const steps: Step[] = [next, (_turn, results) => (results.length > 0 ? next() : undefined)];
		const rig = await startRig(...Array.from({ length: 5_000 }, () => steps));
		const property = fc.asyncProperty(conversation, async ({ demanded, first, second, stream }) => {
			const expected = [first, second].find((attempt) => isValid(demanded, attempt.value));
			script = [first, second];
			const outcome = await rig
				.ask({ messages: [user("?")], response_format: format(demanded) }, stream)
				.catch((error: { code?: string }) => error.code);
			if (!expected) expect(outcome).toBe("output_invalid");
			else expect(JSON.parse((outcome as { text: string }).text)).toEqual(expected.value);
		});
		await fc.assert(property, { numRuns: 50 });
		await until(() => rig.gateway.parkedRuns() === 0);
	});

	it("what is taken is valid, whatever stands around it", async () => {
		const noise = fc.constantFrom("", "```", "```json\n", "\n```", "{", "Sure: ", "\n");
		const request = (demanded: Schema): TurnRequest => ({
			...emptyRequest("m"),
			output: { kind: "json-schema", name: "n", schema: demanded, strict: true, schemaParam: "schema" },
		});
		const property = fc.asyncProperty(
			demand,
			fc.array(fc.oneof(noise, value.any.map(inFence), fc.json()), { maxLength: 4 }),
			async (demanded, texts) => {
				const rule = await structuredOutputRule(request(demanded));
				const verdict = await rule!.judge({ texts, ownCalls: [] });
				if (verdict.kind === "kept") expect(isValid(demanded, JSON.parse(verdict.text))).toBe(true);
				else expect(verdict.error.kind).toBe("output-invalid");
			},
		);
		await fc.assert(property, { numRuns: 150 });
	});
});
