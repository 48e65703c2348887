// Errors that a server reports in trailers, in the last message of a stream or after it.
import { describe, expect, it } from "vitest";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { user } from "../kit/upstream.ts";

describe.each([
	["agent", false],
	["agent", true],
	["unified", false],
	["legacy", true],
])("%s, HTTP/1.1: %s", (protocol, http1) => {
	it.each(["error-trailers", "http-trailers"])("%s is reported like the same error in the usual form", async (name) => {
		const kindWith = async (fault: string, code: string) => {
			const gateway = await startTestGateway({
				emulator: { brain: "echo", faults: [`${fault}=${code}@end`] },
				settings: { protocol, http1 },
			});
			const { error } = await askIn(chatClient, gateway, { messages: [user("a b")] });
			return [error?.kind, error?.message.includes("named in trailers")];
		};
		for (const [code, kind] of [
			["permission_denied", "permission-denied"],
			["invalid_argument", "invalid-request"],
		] as const) {
			expect((await kindWith("error", code))[0]).toBe(kind);
			expect(await kindWith(name, code)).toEqual([kind, true]);
		}
	});
});
