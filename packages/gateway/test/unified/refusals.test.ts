import { describe, expect, it } from "vitest";
import { OLDER_WAYS, type OlderWay } from "../behaviour/older-protocols.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { user } from "../kit/upstream.ts";

const WAYS = Object.keys(OLDER_WAYS) as OlderWay[];
const REFUSALS = [
	["deprecated", 502, "upstream_deprecated", "Use `--protocol agent`"],
	["update-required", 502, "upstream_client_outdated", "Update cursorwire, or set chatClientVersion"],
	["unsupported-region", 403, "unsupported_country_region_territory", "Choose a model of another provider"],
	["unimplemented", 502, "upstream_deprecated", "Use `--protocol agent`"],
] as const;

describe.each(WAYS)("%s", (way) => {
	it.each(["connect", "grpc-web"])("tells in %s why Cursor turns it away, and what to do", async (chatFraming) => {
		const gateway = await startTestGateway({
			emulator: { brain: "echo" },
			settings: { ...OLDER_WAYS[way].settings, chatFraming },
		});
		for (const [state, status, code, step] of REFUSALS) {
			gateway.emulator.set(`chat-service=${state}`);
			const response = await gateway.post("/v1/chat/completions", chatClient.body({ messages: [user("x")] }));
			const { error } = (await response.json()) as { error: { message: string; code: string } };
			expect([state, response.status, error.code]).toEqual([state, status, code]);
			expect(error.message).toContain(step);
		}
		// Nothing of it is remembered.
		gateway.emulator.set("chat-service=on");
		expect((await askIn(chatClient, gateway, { messages: [user("back again")] })).text).toBe("back again");
	});
});
