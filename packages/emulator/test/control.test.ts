import { describe, expect, it } from "vitest";
import { useEmulators } from "./kit/emulators.ts";
import { RunClient, textResult } from "./kit/run-client.ts";

const start = useEmulators();
const until = async (condition: () => boolean) => {
	while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe("stats", () => {
	it.each(["Run", "RunSSE"] as const)(
		"%s: a client that leaves is seen at once, and its brain is told",
		async (carrier) => {
			let told = false;
			const emulator = await start({
				async *brain(turn) {
					turn.signal.addEventListener("abort", () => {
						told = true;
					});
					yield { text: "going on " };
					yield { hang: "heartbeats" };
				},
			});
			const client = await RunClient.connect(emulator, { httpVersion: carrier === "Run" ? "2" : "1.1" });
			const leave = new AbortController();
			const running = client.run({
				carrier,
				signal: leave.signal,
				onUpdate: ({ case: kind }) => kind === "textDelta" && leave.abort(),
			});
			await expect(running).rejects.toThrow();
			await until(() => emulator.stats().runs.cancelled.length === 1);
			await until(() => emulator.stats().streams.open === 0);
			expect(told).toBe(true);
			expect(emulator.stats().runs.cancelled[0]).toMatchObject({ rpc: carrier, at: expect.any(Number) });
		},
	);

	it("a cancel action ends the turn in order", async () => {
		const emulator = await start({
			async *brain() {
				yield { text: "long " };
				yield { exec: { kind: "shell", args: { command: "sleep 60" } } };
				yield { text: "never" };
			},
		});
		const client = await RunClient.connect(emulator);
		const outcome = await client.run({
			onExec: () => [
				{ case: "conversationAction", value: { action: { case: "cancelAction", value: { reason: "enough" } } } },
			],
		});
		expect([outcome.text, outcome.turnEnded]).toEqual(["long ", true]);
		expect(emulator.stats().runs.cancelled).toHaveLength(1);
	});

	it("count heartbeats of both kinds", async () => {
		const emulator = await start({
			async *brain() {
				yield { calls: [{ name: "t" }] };
			},
		});
		const client = await RunClient.connect(emulator);
		await client.run({
			tools: [{ name: "t" }],
			onExec: (exec) => [
				{ case: "clientHeartbeat", value: {} },
				{ case: "execClientControlMessage", value: { message: { case: "heartbeat", value: { id: exec.id } } } },
				...textResult(exec, "ok"),
			],
		});
		expect(emulator.stats().frames).toMatchObject({ heartbeats: 1, execHeartbeats: 1 });
	});

	it("are the same over HTTP", async () => {
		const emulator = await start({ brain: "echo" });
		await (await RunClient.connect(emulator)).run();
		const response = await fetch(`${emulator.url}/__emulator/stats`);
		const stats = (await response.json()) as ReturnType<typeof emulator.stats>;
		expect(stats).toMatchObject({
			runs: { started: 1, ended: 1 },
			auth: { exchanges: 1 },
			streams: { open: 0, peak: 1 },
		});
		expect(stats.connections.open).toBeGreaterThan(0);
	});
});

describe("requests", () => {
	it("are listed decoded, newest last, without credentials", async () => {
		const emulator = await start({ brain: "echo", requestLog: 3 });
		const client = await RunClient.connect(emulator);
		await client.run({ prompt: "first" });
		await client.run({ prompt: "second", headers: { "x-blob-encryption-key": "s3cret" } });
		const response = await fetch(`${emulator.url}/__emulator/requests`);
		const { requests } = (await response.json()) as { requests: ReturnType<typeof emulator.requests> };
		expect(requests).toHaveLength(3);
		expect(requests.at(-1)).toMatchObject({ path: "/agent.v1.AgentService/Run", httpVersion: "2.0" });
		expect(requests.at(-1)?.messages?.[0]).toMatchObject({
			runRequest: { action: { userMessageAction: { userMessage: { text: "second" } } } },
		});
		expect(JSON.stringify(requests)).not.toContain(client.token);
		expect(JSON.stringify(requests)).not.toContain("s3cret");
	});
});

describe("control", () => {
	it("changes switches and expires tokens", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator);
		const post = (path: string, body: object) =>
			fetch(`${emulator.url}/__emulator/${path}`, { method: "POST", body: JSON.stringify(body) });
		expect(await (await post("switches", { set: "model-form=parameters" })).json()).toMatchObject({
			"model-form": "parameters",
		});
		expect((await post("switches", { set: "model-form=oval" })).status).toBe(400);
		expect((await post("switches", { wrong: 1 })).status).toBe(400);
		await post("tokens/expire", {});
		await expect(client.run()).rejects.toMatchObject({ code: 16 });
	});
});
