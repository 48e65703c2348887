// One message and its answer, or what went wrong instead.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import type { Client, Setup } from "./client.ts";
import { BOTH, CHANNELS, startRig } from "./rig.ts";

const PNG = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"base64",
);

export function describeChats(client: Client): void {
	describe.each(BOTH)("an answer, %s", (_, stream) => {
		it("has text, thinking and token counts", async () => {
			const { setup } = await startRig({
				async *brain() {
					yield { thinking: "hm, " };
					yield { thinking: "well" };
					yield { text: "Grüße, " };
					yield { text: "世界 👋" };
					yield { usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 30, reasoningTokens: 5 } };
				},
			});
			const pieces: string[] = [];
			const answer = await client.chat(setup, "hello", { stream, onText: (piece) => pieces.push(piece) });
			const input = stream && client.estimatesStreamedInput ? { input: 5, cached: 0 } : { input: 100, cached: 30 };
			expect(answer).toEqual({
				text: "Grüße, 世界 👋",
				reasoning: client.showsReasoning ? "hm, well" : undefined,
				usage: { ...input, output: 20, reasoning: client.countsReasoning ? 5 : undefined },
			});
			expect(pieces.join("")).toBe(stream ? "Grüße, 世界 👋" : "");
		});

		it("is about the image that was sent", async () => {
			const { setup } = await startRig({
				async *brain({ prompt, images }) {
					yield { text: `${prompt}: ${images.map(({ mediaType, data }) => `${mediaType} ${data.length}`).join()}` };
				},
			});
			const image = { mediaType: "image/png", data: PNG };
			const { text } = await client.chat(setup, "look", { stream, image });
			expect(text).toBe(`look: image/png ${PNG.length}`);
		});

		it("is one of the library's errors for a wrong key, an unknown model, a limit and a failure", async () => {
			const failing: Brain = async function* ({ prompt }) {
				if (prompt === "limit")
					yield { error: { code: "resource_exhausted", details: { error: "ERROR_RATE_LIMITED" } } };
				yield { error: { code: "internal", message: "broken" } };
			};
			const { setup } = await startRig({ brain: failing });
			const failure = (changes: Partial<Setup>, prompt = "hello") =>
				client.chat({ ...setup, ...changes }, prompt, { stream }).then(
					() => expect.unreachable(),
					(error) => client.errorOf(error),
				);
			const { errors } = client;
			expect(await failure({ apiKey: "cw_wrong" })).toMatchObject({ name: errors.badKey, status: 401 });
			expect(await failure({ model: "no-such-model" })).toMatchObject({ name: errors.noModel, status: 404 });
			expect(await failure({}, "limit")).toMatchObject({ name: errors.rateLimit, status: 429 });
			const broken = await failure({});
			expect(broken).toMatchObject({ name: errors.upstream, status: 502 });
			// What happened and what to do, in words.
			expect(broken.message).toMatch(/Cursor or the model's provider failed.*Try again/s);
		});

		it.each(CHANNELS)("is an error where it was cut, upstream over %s", async (__, http1) => {
			const brain: Brain = async function* () {
				yield { text: "half an " };
				yield { delay: 30 };
				yield { drop: true };
			};
			const { setup } = await startRig({ brain }, { http1 });
			const pieces: string[] = [];
			const cut = client.chat(setup, "hello", { stream, onText: (piece) => pieces.push(piece) });
			const error = await cut.then(
				({ text }) => expect.unreachable(`took ${text} for an answer`),
				(thrown) => client.errorOf(thrown),
			);
			expect(error.message).toMatch(/cut in the middle of the answer/);
			expect(error).toMatchObject(
				stream ? { name: client.errors.midStream } : { name: client.errors.upstream, status: 502 },
			);
			if (stream) expect(pieces.join("")).toBe("half an ");
		});

		it("is cancelled where it is no longer wanted", async () => {
			const { emulator, setup } = await startRig({
				async *brain() {
					yield { text: "Once upon a time " };
					yield { hang: "heartbeats" };
				},
			});
			const leave = new AbortController();
			const left = client.chat(setup, "tell", { stream, signal: leave.signal, onText: () => leave.abort() });
			if (!stream) {
				await until(() => emulator.stats().streams.open === 1);
				leave.abort();
			}
			const error = await left.then(
				() => expect.unreachable(),
				(thrown) => client.errorOf(thrown),
			);
			expect(error.name).toMatch(client.errors.aborted);
			await until(() => emulator.stats().runs.cancelled.length === 1);
			await until(() => emulator.stats().streams.open === 0);
		});
	});
}
