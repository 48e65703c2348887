// Whatever ends an answer midway, an official library throws, and what reached it has no proper end.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import type { Client } from "./client.ts";
import { CHANNELS, startRig } from "./rig.ts";

const FAULTS = [
	"cut@frame:6",
	"reset@frame:6",
	"no-end-stream@frame:6",
	"truncate@frame:6",
	"huge-length@frame:6",
	"bomb@frame:6",
	"error=internal@frame:6",
	"error=resource_exhausted@frame:6",
	"bad-error=not-json@frame:6",
];

/** A word at a time, so that some have left before it breaks. */
const slowly: Brain = async function* () {
	for (const word of "one two three four five six".split(" ")) {
		yield { text: `${word} ` };
		yield { delay: 10 };
	}
};

export function describeCuts(client: Client, properEnd: RegExp): void {
	describe.each(CHANNELS)("an answer that breaks, upstream over %s", (_, http1) => {
		it.each(FAULTS)("U16: throws after %s", async (fault) => {
			const { setup } = await startRig({ brain: slowly, faults: [fault] }, { http1 });
			let received = "";
			const listening: typeof fetch = async (input, init) => {
				const response = await setup.fetch(input, init);
				const pieces = response.body!.pipeThrough(
					new TransformStream<Uint8Array, Uint8Array>({
						transform(piece, controller) {
							received += Buffer.from(piece).toString("latin1");
							controller.enqueue(piece);
						},
					}),
				);
				return new Response(pieces, response);
			};
			const pieces: string[] = [];
			const asked = client.chat({ ...setup, fetch: listening }, "count", {
				stream: true,
				onText: (piece) => pieces.push(piece),
			});
			const error = await asked.then(
				({ text }) => expect.unreachable(`took ${text} for an answer`),
				(thrown) => client.errorOf(thrown),
			);
			expect(error.name).toBe(client.errors.midStream);
			expect(pieces.join("")).toMatch(/^one /);
			expect(received).not.toMatch(properEnd);
		});
	});
}
