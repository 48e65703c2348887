import { describe, expect, it } from "vitest";
import { decodeWireError } from "../../src/upstream/errors/decode-wire-error.ts";
import { isHostFault } from "../../src/upstream/errors/host-fault.ts";
import { WireError } from "../../src/wire/errors.ts";
import { chatClient } from "../kit/chat-client.ts";
import { askIn } from "../kit/dialect-client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { user } from "../kit/upstream.ts";

const ASK_HOSTS = "/aiserver.v1.ServerConfigService/GetServerConfig";

/** How often the hosts were asked for in two turns, the first of which meets this fault. */
async function asked(fault: string): Promise<number> {
	const gateway = await startTestGateway({
		emulator: { brain: "echo" },
		limits: { transportRetries: 0, serverRetries: 0 },
		settings: { protocol: "agent" },
	});
	gateway.emulator.addFault(fault);
	const first = await askIn(chatClient, gateway, { messages: [user("a b c d e f")] });
	expect(first.error).toBeDefined();
	gateway.emulator.clearFaults();
	await askIn(chatClient, gateway, { messages: [user("again")] });
	return gateway.emulator.stats().rpcs[ASK_HOSTS] ?? 0;
}

describe("the host of an account", () => {
	it.each([
		"error=internal@frame:3",
		"error=unavailable@frame:3",
		"error=ERROR_PRO_USER_USAGE_LIMIT@frame:3",
		"reset@frame:3",
		"cut@frame:3",
		"huge-length@frame:3",
		"no-end-stream@frame:3",
		"status=503@headers",
		"status=429@headers",
		"status=500@headers",
	])("is not asked for again after %s, which says nothing against it", async (fault) => {
		expect(await asked(fault)).toBe(1);
	});

	it.each([
		"hollow@headers",
		"redirect@headers",
		"wrong-type@headers",
		"status=404@headers",
		"error=unimplemented@frame:1",
	])("is asked for again after %s, which is how a wrong one answers", async (fault) => {
		expect(await asked(fault)).toBe(2);
	});

	it.each(["connect-failed", "connect-timeout", "proxy-refused", "tls"] as const)(
		"is asked for again after %s: it cannot be reached",
		(code) => {
			expect(isHostFault(decodeWireError(new WireError(code, "no way")))).toBe(true);
		},
	);

	it.each(["stream-reset", "goaway", "ping-timeout", "connection-lost", "refused-stream"] as const)(
		"is not asked for again after %s: it was there",
		(code) => {
			expect(isHostFault(decodeWireError(new WireError(code, "cut")))).toBe(false);
		},
	);
});
