import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { AgentServerMessageSchema, type InteractionUpdateSchema } from "@cursorwire/protocol/agent";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FastFrame, FastKind } from "./fast-frames.ts";
import { endCounts } from "./run-work.ts";

type Update = MessageInitShape<typeof InteractionUpdateSchema>["message"];
const frame = (message: Update) =>
	toBinary(
		AgentServerMessageSchema,
		create(AgentServerMessageSchema, { message: { case: "interactionUpdate", value: { message } } }),
	);

/** What the general path makes of a frame, in the terms of the fast one. */
function general(bytes: Uint8Array): unknown {
	const { message } = fromBinary(AgentServerMessageSchema, bytes);
	const update = message.case === "interactionUpdate" ? message.value.message : undefined;
	if (update?.case === "textDelta") return [FastKind.text, Buffer.from(update.value.text).toString("hex")];
	if (update?.case === "thinkingDelta") return [FastKind.thinking, Buffer.from(update.value.text).toString("hex")];
	if (update?.case === "tokenDelta") return [FastKind.tokens, update.value.tokens];
	if (update?.case === "heartbeat") return [FastKind.heartbeat];
	if (update?.case === "turnEnded") return [FastKind.end, endCounts(update.value)];
	return [FastKind.none];
}

/** Reads a frame between bytes of others, which must not change anything. */
function fast(frameBytes: Uint8Array, before: Uint8Array = EMPTY, after: Uint8Array = EMPTY): unknown {
	const bytes = Buffer.concat([before, frameBytes, after]);
	const end = before.length + frameBytes.length;
	const reader = new FastFrame();
	const kind = reader.read(bytes, before.length, end);
	if (kind === FastKind.text || kind === FastKind.thinking) {
		return [kind, bytes.subarray(reader.start, end).toString("hex")];
	}
	if (kind === FastKind.end) return [kind, reader.counts];
	return kind === FastKind.tokens ? [kind, reader.tokens] : [kind];
}

const EMPTY = new Uint8Array();
const neighbour = fc.uint8Array({ maxLength: 12 });

describe("the fast path", () => {
	it("agrees with the general path on every frame it takes", () => {
		const text = fc.oneof(
			fc.uint8Array({ minLength: 1, maxLength: 300 }),
			fc.uint8Array({ minLength: 20_000, maxLength: 20_000 }),
		);
		const count = fc.option(fc.bigInt({ min: 0n, max: 9_000_000n }), { nil: undefined });
		const update: fc.Arbitrary<Update> = fc.oneof(
			text.map((value): Update => ({ case: "textDelta", value: { text: value } })),
			text.map((value): Update => ({ case: "thinkingDelta", value: { text: value } })),
			fc.integer({ min: 1, max: 1_000_000 }).map((tokens): Update => ({ case: "tokenDelta", value: { tokens } })),
			fc.constant<Update>({ case: "heartbeat", value: {} }),
			fc
				.record({ inputTokens: count, outputTokens: count, cacheReadTokens: count, reasoningTokens: count })
				.map((value): Update => ({ case: "turnEnded", value })),
		);
		fc.assert(
			fc.property(update, neighbour, neighbour, (message, before, after) => {
				const bytes = frame(message);
				expect(fast(bytes, before, after)).toEqual(general(bytes));
			}),
		);
	});

	it("leaves every other frame to the general path", () => {
		const others: Update[] = [
			{ case: "textDelta", value: { text: Buffer.from("x"), isServerNotice: true } },
			{ case: "thinkingDelta", value: { text: Buffer.from("x"), thinkingStyle: 2 } },
			{ case: "turnEnded", value: { inputTokens: -1n } },
			{ case: "turnEnded", value: { outputTokens: 1n << 40n } },
			{ case: "stepStarted", value: {} },
			{ case: "tokenDelta", value: { tokens: -1 } },
		];
		for (const message of others) expect(fast(frame(message))).toEqual([FastKind.none]);
	});

	/** Bytes that the fast path looks at; uniform ones would rarely pass its first check. */
	const telling = fc.constantFrom(
		0x00,
		0x01,
		0x02,
		0x04,
		0x06,
		0x08,
		0x0a,
		0x10,
		0x22,
		0x28,
		0x42,
		0x6a,
		0x72,
		0x80,
		0xff,
	);
	const frameLike = fc.oneof(
		fc.uint8Array({ maxLength: 40 }),
		fc.array(telling, { maxLength: 10 }).map((rest) => Uint8Array.of(0x0a, ...rest)),
	);

	it("takes nothing wrong from arbitrary or cut bytes", () => {
		fc.assert(
			fc.property(frameLike, neighbour, neighbour, (bytes, before, after) => {
				const seen = fast(bytes, before, after) as [FastKind];
				expect(seen).toEqual(fast(bytes));
				if (seen[0] !== FastKind.none) expect(seen).toEqual(general(bytes));
			}),
			{ numRuns: 2000 },
		);
	});
});
