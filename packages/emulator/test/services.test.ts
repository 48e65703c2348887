import { fromBinary } from "@bufbuild/protobuf";
import { PromptContextUsageTreeSchema } from "@cursorwire/protocol/agent";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../src/index.ts";
import { callOver } from "./kit/call-over.ts";
import { useEmulators } from "./kit/emulators.ts";
import { RunClient } from "./kit/run-client.ts";

const start = useEmulators();
const JSON_TYPE = { "content-type": "application/json" };

describe("what other clients than the SDK ask for", () => {
	it("GetPrivacyMode answers as GetUserPrivacyMode does", async () => {
		const accounts = { accounts: [{ id: "user_1", acceptAnyKey: true, privacyMode: "usage-data" as const }] };
		const emulator = await start({ accounts });
		const client = await RunClient.connect(emulator);
		const path = "/aiserver.v1.DashboardService/GetPrivacyMode";
		const answer = await callOver(emulator, "POST", path, {}, { ...client.headers(), ...JSON_TYPE });
		expect(JSON.parse(answer.body)).toEqual({ privacyMode: "PRIVACY_MODE_USAGE_DATA_TRAINING_ALLOWED" });
	});

	it("/api/usage-summary takes the session's cookie, whole or the token alone, and no other", async () => {
		const emulator = await start();
		const { token } = await RunClient.connect(emulator);
		const ask = (cookie: string) =>
			callOver(emulator, "GET", "/api/usage-summary", undefined, { cookie: `a=b; WorkosCursorSessionToken=${cookie}` });
		for (const cookie of [`user_01DEMO%3A%3A${token}`, token]) {
			const { status, body } = await ask(cookie);
			expect([status, JSON.parse(body)]).toMatchObject([
				200,
				{ membershipType: "pro", individualUsage: { plan: { limit: 52_000, used: 1550 } } },
			]);
		}
		expect((await ask(`user_OTHER%3A%3A${token}`)).status).toBe(401);
		expect((await callOver(emulator, "GET", "/api/usage-summary")).status).toBe(401);
	});

	it("GetPromptContextUsage tells what filled the window, in proto and JSON", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator);
		await client.run({ prompt: "one two three", tools: [{ name: "t" }], request: { conversationId: "conv" } });
		const path = "/agent.v1.AgentService/GetPromptContextUsage";
		const ask = (id: string) =>
			callOver(emulator, "POST", path, { conversationId: id }, { ...client.headers(), ...JSON_TYPE });
		const { nodes } = JSON.parse((await ask("conv")).body).snapshot.promptContextUsageTree;
		const tokens = Object.fromEntries(nodes.map((node: { id: string; estimatedTokens: number }) => [node.id, node]));
		expect(tokens.conversation.estimatedTokens).toBeGreaterThan(3);
		expect(tokens.tools.estimatedTokens).toBeGreaterThan(3);
		expect((await ask("nobody")).status).toBe(404);
		const binary = await fetch(`${emulator.url}${path}`, {
			method: "POST",
			headers: { ...client.headers(), "content-type": "application/proto" },
			body: Buffer.concat([Buffer.from([10, 4]), Buffer.from("conv")]),
		});
		const body = Buffer.from(await binary.arrayBuffer());
		const tree = fromBinary(PromptContextUsageTreeSchema, unwrap(unwrap(body)));
		expect(tree.nodes.map(({ id }) => id)).toEqual(["system_prompt", "rules", "tools", "conversation"]);
	});

	it("the brothers of StreamChat answer that they are deprecated", async () => {
		const emulator = await start();
		const client = await RunClient.connect(emulator);
		const headers = { ...client.headers(), "content-type": "application/connect+proto" };
		const path = "/aiserver.v1.AiService/StreamComposer";
		const { body } = await callOver(emulator, "POST", path, "\0".repeat(5), headers);
		expect(body).toContain('"code":"failed_precondition"');
		expect(body).toContain("ERROR_DEPRECATED");
	});

	it.each(["/v1/agents", "/v1/agents/bc-1/runs", "/v1/repositories"])(
		"%s: cloud agents are not emulated",
		async (path) => {
			const emulator = await start();
			const { status, body } = await callOver(emulator, "GET", path, undefined, { authorization: "Bearer key" });
			expect([status, JSON.parse(body)]).toMatchObject([501, { error: { code: "not_implemented" } }]);
			expect(JSON.parse(body).error.message).toMatch(/Cloud agents are not emulated/);
			expect((await callOver(emulator, "POST", path)).status).toBe(401);
		},
	);

	it("a login that the organisation's policy refuses says so", async () => {
		const emulator = await start({ autoApprove: true, switches: ["sign-in-policy=refused"] });
		expect(await poll(emulator)).toMatchObject({
			status: 403,
			body: expect.stringContaining("sign_in_policy_violation"),
		});
		emulator.set("sign-in-policy=open");
		expect(await poll(emulator)).toMatchObject({ status: 200 });
	});
});

const poll = (emulator: Emulator) => callOver(emulator, "POST", "/auth/poll", { uuid: "u", verifier: "v" });

/** The content of a message that has one field, below 16,384 bytes. */
function unwrap(message: Buffer): Buffer {
	return message.subarray(message[1]! > 127 ? 3 : 2);
}
