// `cursorwire mcp` as a coding agent starts it: the program itself, with the official MCP client at the other end.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import { BIN, runProgram, startProgram, temporaryFolder } from "../kit/program.ts";

/** A machine with a gateway that runs, and the client of an agent on it. */
async function machine() {
	const env = { HOME: temporaryFolder() };
	const gateway = startProgram(["demo", "--port", "0", "--json", "--log-level", "silent"], env);
	const { url, key } = JSON.parse((await gateway.prints(/^\{.*\}$/m))[0]) as { url: string; key: string };
	return { env, gateway, url, key };
}

async function connect(env: Record<string, string>, args: string[] = []) {
	const transport = new StdioClientTransport({
		command: process.execPath,
		args: [BIN, "mcp", ...args],
		env: { PATH: process.env.PATH!, ...env },
		stderr: "pipe",
	});
	let noise = "";
	transport.stderr!.on("data", (chunk) => {
		noise += chunk;
	});
	const client = new Client({ name: "agent", version: "1" });
	await client.connect(transport);
	onTestFinished(() => client.close());
	return { client, transport, noise: () => noise };
}

const textOf = ({ content }: { content?: unknown }) => (content as { text: string }[])[0]!.text;

describe("cursorwire mcp", () => {
	it("tells an agent what is used, what is left, which models there are and whether all is well", async () => {
		const { env, url, key } = await machine();
		for (let turn = 0; turn < 2; turn++) {
			const body = JSON.stringify({ model: "composer-1", messages: [{ role: "user", content: "hello" }] });
			const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
			expect((await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body })).status).toBe(200);
		}
		const { client, noise } = await connect(env);
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name).sort()).toEqual(["limits", "models", "status", "usage"]);
		for (const tool of tools) expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });

		const usage = await client.callTool({ name: "usage", arguments: { span: "today" } });
		expect(usage.structuredContent).toMatchObject({ scope: "all", today: { turns: 2, errors: 0 } });
		expect(textOf(usage)).toMatch(
			/^All keys of this gateway\.\nToday \(since .*\): 2 turns, 0 failed; [\d,]+ tokens in/,
		);
		expect(textOf(usage)).toContain("model composer-1: 2 turns");
		expect(textOf(usage)).not.toContain("billing period");
		expect(textOf(await client.callTool({ name: "usage", arguments: {} }))).toContain("In this billing period");

		const limits = await client.callTool({ name: "limits", arguments: {} });
		expect(textOf(limits)).toMatch(/Included usage of Auto and Composer: [\d.]+% used/);
		expect((limits.structuredContent as { pools: object[] }).pools.length).toBeGreaterThan(0);

		const models = await client.callTool({ name: "models", arguments: { search: "gpt-5.4" } });
		expect(textOf(models)).toMatch(
			/^gpt-5\.4 \(GPT-5\.4\): 272,000 tokens, thinks, reads images, variants .*gpt-5\.4-high/m,
		);
		expect(textOf(models)).not.toContain("composer-1");

		const status = await client.callTool({ name: "status", arguments: {} });
		expect(textOf(status)).toMatch(/^Cursorwire [\d.]+ is ok; conversations are in \w+\./);
		expect(noise()).toBe("");
	});

	it("shows a key its own use alone, when it is given that key", async () => {
		const emulator = startProgram(["emulate", "--port", "0", "--json"]);
		const upstream = JSON.parse((await emulator.prints(/^\{.*\}$/m))[0]).url;
		const env = { HOME: temporaryFolder(), CURSORWIRE_UPSTREAM: upstream, CURSOR_API_KEY: "key_test" };
		const gateway = startProgram(["serve", "--port", "0", "--json", "--log-level", "silent"], env);
		const { url } = JSON.parse((await gateway.prints(/^\{.*\}$/m))[0]) as { url: string };
		const added = await runProgram(["keys", "add", "agent"], env);
		const key = /cw_[\w-]+/.exec(added.out)![0];
		const headers = { authorization: `Bearer ${key}` };
		await until(async () => (await fetch(`${url}/v1/usage`, { headers })).status === 200);
		const { client } = await connect({ ...env, CURSORWIRE_KEY: key });
		const { structuredContent } = await client.callTool({ name: "usage", arguments: {} });
		expect(structuredContent).toMatchObject({ scope: "key", today: { turns: 0 } });
		const limits = async () => textOf(await client.callTool({ name: "limits", arguments: {} }));
		expect(await limits()).toContain("No limit is about this key.");
		expect(await runProgram(["limits", "add", "20 turns/day"], env)).toMatchObject({ code: 0 });
		await until(async () =>
			/^Limit 20 turns\/day: 0 of 20 turns used, starts anew at .*; then every/m.test(await limits()),
		);
	});

	it("says what to do when no gateway runs, and finds the one that is started later", async () => {
		const env = { HOME: temporaryFolder() };
		const { client } = await connect(env);
		const failed = await client.callTool({ name: "usage", arguments: {} });
		expect(failed.isError).toBe(true);
		expect(textOf(failed)).toMatch(/^No gateway is running\. Start one with `.*cursorwire.* serve`/);
		const gateway = startProgram(["demo", "--port", "0", "--json", "--log-level", "silent"], env);
		await gateway.prints(/^\{.*\}$/m);
		expect((await client.callTool({ name: "models", arguments: {} })).isError).toBeFalsy();
		const refused = await connect({ ...env, CURSORWIRE_KEY: `cw_${"x".repeat(43)}` });
		const answer = await refused.client.callTool({ name: "usage", arguments: {} });
		expect([answer.isError, textOf(answer)]).toEqual([
			true,
			expect.stringContaining("gateway key is missing or wrong"),
		]);
	});

	it("refuses input that does not fit, and goes on", async () => {
		const { env } = await machine();
		const { client } = await connect(env);
		const wrong = await client
			.callTool({ name: "usage", arguments: { span: "century" } })
			.catch((error: Error) => error);
		expect(JSON.stringify(wrong instanceof Error ? wrong.message : wrong)).toMatch(/span/);
		expect((await client.callTool({ name: "status", arguments: {} })).isError).toBeFalsy();
	});

	it("ends when its input ends, with nothing on its output but messages", async () => {
		const started = startProgram(["mcp"], { HOME: temporaryFolder() });
		const request = { jsonrpc: "2.0", id: 1, method: "initialize" };
		const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "agent", version: "1" } };
		started.child.stdin!.write(`${JSON.stringify({ ...request, params })}\n`);
		const [line] = await started.prints(/^\{.*\}$/m);
		expect(JSON.parse(line)).toMatchObject({ id: 1, result: { serverInfo: { name: "cursorwire" } } });
		started.child.stdin!.end();
		const { code, out } = await started.ended;
		expect(code).toBe(0);
		for (const each of out.trim().split("\n")) expect(() => JSON.parse(each)).not.toThrow();
	});
});
