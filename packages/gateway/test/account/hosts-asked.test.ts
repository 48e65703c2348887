import { describe, expect, it } from "vitest";
import type { ErrorKind } from "../../src/turn/error-kinds.ts";
import { decodeWireError } from "../../src/upstream/errors/decode-wire-error.ts";
import { isHostFault } from "../../src/upstream/errors/host-fault.ts";
import { WireError } from "../../src/wire/errors.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { user } from "../kit/upstream.ts";

const ASK_HOSTS = "/aiserver.v1.ServerConfigService/GetServerConfig";

/** How often the hosts were asked for in two turns, the first of which meets this fault and fails of it. */
async function asked(fault: string, kind: ErrorKind): Promise<number> {
	const gateway = await startTestGateway({
		emulator: { brain: "echo" },
		limits: { transportRetries: 0, serverRetries: 0 },
		settings: { protocol: "agent" },
	});
	gateway.emulator.addFault(fault);
	const first = await askIn(chatClient, gateway, { messages: [user("a b c d e f")] });
	expect(first.error?.kind).toBe(kind);
	gateway.emulator.clearFaults();
	await askIn(chatClient, gateway, { messages: [user("again")] });
	return gateway.emulator.stats().rpcs[ASK_HOSTS] ?? 0;
}

describe("the host of an account", () => {
	it.each<[string, ErrorKind]>([
		["error=internal@frame:3", "upstream-error"],
		["error=unavailable@frame:3", "upstream-unavailable"],
		["error=ERROR_PRO_USER_USAGE_LIMIT@frame:3", "quota-exhausted"],
		["reset@frame:3", "upstream-reset"],
		["cut@frame:3", "upstream-reset"],
		["huge-length@frame:3", "upstream-protocol"],
		["no-end-stream@frame:3", "upstream-reset"],
		["status=503@headers", "upstream-unavailable"],
		["status=429@headers", "rate-limited"],
		["status=500@headers", "upstream-error"],
	])("is not asked for again after %s, which says nothing against it", async (fault, kind) => {
		expect(await asked(fault, kind)).toBe(1);
	});

	it.each<[string, ErrorKind]>([
		["hollow@headers", "upstream-protocol"],
		["redirect@headers", "upstream-protocol"],
		["wrong-type@headers", "upstream-protocol"],
		["status=404@headers", "upstream-protocol"],
		["error=unimplemented@frame:1", "upstream-deprecated"],
	])("is asked for again after %s, which is how a wrong one answers", async (fault, kind) => {
		expect(await asked(fault, kind)).toBe(2);
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
