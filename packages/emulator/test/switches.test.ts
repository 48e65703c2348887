import { create } from "@bufbuild/protobuf";
import { Code, createClient } from "@connectrpc/connect";
import { AgentService, ConversationStateStructureSchema } from "@cursorwire/protocol/agent";
import { AiService, DashboardService, ServerConfigService } from "@cursorwire/protocol/aiserver";
import { describe, expect, it } from "vitest";
import { SWITCHES, Switches } from "../src/switches.ts";
import { useEmulators } from "./kit/emulators.ts";
import { execResult, RunClient, textResult } from "./kit/run-client.ts";

const start = useEmulators();
const codeOf = (run: Promise<unknown>) =>
	run.then(
		() => "fine",
		(error) => Code[error.code],
	);
const TOOLS = [{ name: "t" }];

describe("open questions, each with a switch", () => {
	it("model-form: base id with parameters, or one flattened id", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator);
		const flattened = () => codeOf(client.run({ model: "gpt-5.4-high" }));
		const parameters = () =>
			codeOf(
				client.run({
					request: { requestedModel: { modelId: "gpt-5.4", parameters: [{ id: "reasoning", value: "high" }] } },
				}),
			);
		expect([await flattened(), await parameters()]).toEqual(["fine", "fine"]);
		emulator.set("model-form=parameters");
		expect([await flattened(), await parameters()]).toEqual(["ResourceExhausted", "fine"]);
		emulator.set("model-form=flattened");
		emulator.set("wrong-model-form=not-found");
		expect([await flattened(), await parameters()]).toEqual(["fine", "NotFound"]);
		emulator.set("wrong-model-form=empty-turn");
		const empty = await client.run({
			request: { requestedModel: { modelId: "gpt-5.4", parameters: [{ id: "fast", value: "true" }] } },
		});
		expect([empty.text, empty.turnEnded]).toEqual(["", true]);
	});

	it("max-mode: without effect, or needed for a long context", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator);
		const long = (maxMode: boolean) =>
			codeOf(
				client.run({
					request: {
						requestedModel: { modelId: "claude-4.6-opus", maxMode, parameters: [{ id: "context", value: "1m" }] },
					},
				}),
			);
		expect(await long(false)).toBe("fine");
		emulator.set("max-mode=required-for-long-context");
		expect([await long(false), await long(true)]).toEqual(["FailedPrecondition", "fine"]);
	});

	it("tools-twice: fine, or the turn stalls", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator);
		expect((await client.run({ tools: TOOLS, prompt: "x" })).text).toBe("x");
		emulator.set("tools-twice=stall");
		expect(await codeOf(client.run({ tools: TOOLS, signal: AbortSignal.timeout(200) }))).not.toBe("fine");
	});

	it("request-context: asked for, asked for unless sent, or never", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator);
		const asked = async (sent: boolean) => {
			const action = {
				action: {
					case: "userMessageAction" as const,
					value: { userMessage: { text: "x" }, ...(sent && { requestContext: {} }) },
				},
			};
			const { execs } = await client.run({ request: { action } });
			return execs.some(({ message }) => message.case === "requestContextArgs");
		};
		expect([await asked(false), await asked(true)]).toEqual([true, false]);
		emulator.set("request-context=ask");
		expect(await asked(true)).toBe(true);
		emulator.set("request-context=never");
		expect(await asked(false)).toBe(false);
	});

	it("sse-after-tool: goes on, or falls silent", async () => {
		const emulator = await start({
			async *brain() {
				yield { calls: [{ name: "t" }] };
				yield { text: "after" };
			},
		});
		const client = await RunClient.connect(emulator, { httpVersion: "1.1" });
		const run = (signal?: AbortSignal) =>
			client.run({
				carrier: "RunSSE",
				tools: TOOLS,
				...(signal && { signal }),
				onExec: (exec) => textResult(exec, "r"),
			});
		expect((await run()).text).toBe("after");
		emulator.set("sse-after-tool=silent");
		expect(await codeOf(run(AbortSignal.timeout(300)))).not.toBe("fine");
	});

	it("privacy-host: which of two agent hosts serves a private account; the others say nothing", async () => {
		const emulator = await start({ brain: "echo", agentHosts: true, switches: ["privacy-host=agent"] });
		const config = await createClient(
			ServerConfigService,
			(await RunClient.connect(emulator)).transport,
		).getServerConfig({}, { headers: (await RunClient.connect(emulator)).headers() });
		const { agent, agentn } = emulator.agentUrls;
		expect(config.agentUrlConfig).toMatchObject({ agentUrl: agent, agentnUrl: agentn });
		const at = async (url: string) => codeOf((await RunClient.connect({ ...emulator, url })).run());
		expect([await at(emulator.url), await at(agent), await at(agentn)]).not.toContain("Unavailable");
		expect(await at(agent)).toBe("fine");
		expect(await at(agentn)).not.toBe("fine");
		expect(await at(emulator.url)).not.toBe("fine");
	});

	it("last-checkpoint: before turn_ended, behind it, or both", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator);
		const count = async () => (await client.run()).checkpoints.length;
		expect(await count()).toBe(2);
		emulator.set("last-checkpoint=after-turn-ended");
		expect(await count()).toBe(1);
	});

	it("http2-config, agent-service, client-version: what an account or a version gets", async () => {
		const emulator = await start({ brain: "echo", switches: ["http2-config=2"] });
		const client = await RunClient.connect(emulator);
		const config = await createClient(ServerConfigService, client.transport).getServerConfig(
			{},
			{ headers: client.headers() },
		);
		expect(config.http2Config).toBe(2);
		emulator.set("client-version=outdated");
		expect(await codeOf(client.run())).toBe("FailedPrecondition");
		emulator.set("client-version=any");
		emulator.set("agent-service=unimplemented");
		expect(await codeOf(client.run())).toBe("Unimplemented");
	});

	it("enveloped-unary: a unary answer with an envelope around it", async () => {
		const emulator = await start({ switches: ["enveloped-unary=on"] });
		const client = await RunClient.connect(emulator);
		const response = await fetch(`${emulator.url}/agent.v1.AgentService/GetUsableModels`, {
			method: "POST",
			headers: { ...client.headers(), "content-type": "application/proto" },
		});
		const body = Buffer.from(await response.arrayBuffer());
		expect(body.readUInt32BE(1)).toBe(body.length - 5);
	});

	it("are all read somewhere and refuse what they are not", () => {
		expect(() => new Switches(["mood=good"])).toThrow(/unknown switch "mood" \(known: .*model-form/);
		expect(() => new Switches(["model-form=oval"])).toThrow(
			/cannot be "oval" \(it can be: both, parameters, flattened\)/,
		);
		expect(new Switches().list()).toEqual(
			Object.fromEntries(Object.entries(SWITCHES).map(([name, entry]) => [name, entry.default])),
		);
	});
});

describe("account RPCs", () => {
	it("list models in the three forms", async () => {
		const emulator = await start();
		const client = await RunClient.connect(emulator);
		const call = { headers: client.headers() };
		const usable = await createClient(AgentService, client.transport).getUsableModels({}, call);
		expect(usable.models.map(({ modelId }) => modelId)).toEqual(
			expect.arrayContaining(["default", "gpt-5.4-high-fast", "claude-4.6-opus-thinking"]),
		);
		const available = await createClient(AiService, client.transport).availableModels({}, call);
		const opus = available.models.find(({ name }) => name === "claude-4.6-opus")!;
		expect(opus).toMatchObject({
			supportsImages: true,
			contextTokenLimit: 200_000,
			contextTokenLimitForMaxMode: 1_000_000,
		});
		expect(opus.parameterDefinitions.map(({ id }) => id)).toEqual(["thinking", "effort", "context"]);
		const response = await fetch(`${emulator.url}/v1/models`, { headers: { authorization: "Bearer key" } });
		const rest = (await response.json()) as { items: unknown[] };
		expect(rest.items[0]).toMatchObject({ id: "default", displayName: "Auto", aliases: ["auto"] });
	});

	it("tell plan, both pools and privacy", async () => {
		const emulator = await start({
			brain: "echo",
			accounts: {
				accounts: [
					{
						id: "user_1",
						acceptAnyKey: true,
						plan: "ultra",
						privacyMode: "usage-data",
						quota: { auto: { limitCents: 100, usedCents: 25 }, api: { limitCents: 200, usedCents: 50 } },
					},
				],
			},
		});
		const client = await RunClient.connect(emulator);
		const call = { headers: client.headers() };
		const dashboard = createClient(DashboardService, client.transport);
		expect((await dashboard.getPlanInfo({}, call)).planInfo?.planName).toBe("Ultra");
		expect((await dashboard.getUserPrivacyMode({}, call)).privacyMode).toBe(3);
		const before = (await dashboard.getCurrentPeriodUsage({}, call)).planUsage!;
		expect(before).toMatchObject({ autoPercentUsed: 25, apiPercentUsed: 25, autoLimit: 100, apiLimit: 200 });
		await client.run({ prompt: "x".repeat(8000) });
		const after = (await dashboard.getCurrentPeriodUsage({}, call)).planUsage!;
		expect(after.autoPercentUsed).toBeGreaterThan(25);
		expect(after.apiPercentUsed).toBe(25);
	});

	it("answer JSON as well, refuse strangers, and say what is not implemented", async () => {
		const emulator = await start();
		const client = await RunClient.connect(emulator);
		const post = (path: string, headers: Record<string, string>) =>
			fetch(`${emulator.url}${path}`, {
				method: "POST",
				headers: { "content-type": "application/json", ...headers },
				body: "{}",
			});
		const me = await post("/aiserver.v1.DashboardService/GetMe", client.headers());
		expect(await me.json()).toMatchObject({ email: "demo@example.test" });
		const stranger = await post("/aiserver.v1.DashboardService/GetMe", {});
		expect([stranger.status, await stranger.json()]).toMatchObject([401, { code: "unauthenticated" }]);
		const unknown = await post("/aiserver.v1.DashboardService/GetTheMoon", client.headers());
		expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: "unimplemented" }]);
	});
});

describe("--strict", () => {
	it("lets an orderly client through and names what a sloppy one does", async () => {
		const emulator = await start({ brain: "echo", strict: true });
		const client = await RunClient.connect(emulator);
		expect((await client.run({ prompt: "orderly" })).text).toBe("orderly");
		const refused = async (options: Parameters<RunClient["run"]>[0]) =>
			(await client.run(options).catch((error) => error)).rawMessage;
		expect(await refused({ headers: { "x-ghost-mode": "maybe" } })).toMatch(/x-ghost-mode/);
		expect(await refused({ request: { runId: "other" } })).toMatch(/run_id/);
		expect(await refused({ request: { mcpTools: undefined } })).toMatch(/mcp_tools/);
		expect(await refused({ tools: [{ name: "two words" }] })).toMatch(/tool name/);
		expect(await refused({ tools: [{ name: "t" }, { name: "t" }] })).toMatch(/twice/);
		const unknown = Object.assign(create(ConversationStateStructureSchema), {
			$unknown: [{ no: 99, wireType: 0, data: new Uint8Array([1]) }],
		});
		expect(await refused({ state: unknown })).toMatch(/unknown field 99/);
	});

	it("refuses a blob that is not what its id says, and answers nobody asked for", async () => {
		const emulator = await start({
			strict: true,
			async *brain() {
				yield { exec: { kind: "read", args: { path: "a" } } };
				yield { text: "done" };
			},
		});
		const client = await RunClient.connect(emulator);
		client.blobs.set("07".repeat(32), Buffer.from('{"role":"user","content":"x"}'));
		const state = { rootPromptMessagesJson: [Buffer.alloc(32, 7)] } as never;
		await expect(client.run({ state })).rejects.toThrow(/not what its id says/);
		const wrongId = client.run({
			onExec: (exec) => [execResult({ ...exec, id: exec.id + 5 }, { case: "readResult", value: {} })],
		});
		await expect(wrongId).rejects.toThrow(/was not asked/);
	});
});
