// The process around the gateway: how it starts, and how it stops.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Brain, type Emulator, startEmulator } from "cursorwire-emulator";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import { LOOK, obedient } from "../kit/hostile/brain.ts";
import { Rig, say } from "../kit/hostile/rig.ts";
import { runProgram, startProgram, temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";

let release: () => void;
const released = new Promise<void>((resolve) => {
	release = resolve;
});
/** Says one thing, and the next when the test wants it. */
const patient: Brain = async function* (turn) {
	if (turn.prompt !== "wait") return yield* obedient(turn);
	yield { text: "first " };
	await released;
	yield { text: "and last" };
};

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator({ brain: patient });
});
afterAll(() => emulator.close());

const start = (flags: string[] = []) => serve({ upstream: emulator.url, dataDir: temporaryFolder(), flags });

/** Reads a body as it comes. */
function reading({ body }: Response) {
	const read = { text: "", over: false };
	const done = (async () => {
		for await (const chunk of body!.pipeThrough(new TextDecoderStream())) read.text += chunk;
		read.over = true;
	})();
	done.catch(() => {});
	return Object.assign(read, { done });
}

describe("L8: serve --json", () => {
	it("O7: prints one line when it is ready; the first signal lets an open answer end, and nothing else", async () => {
		const { url, key, pid, program, ask } = await start();
		expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		expect(key).toMatch(/^cw_[\w-]{43}$/);
		expect(pid).toBe(program.child.pid);
		expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: "ok" });
		// A run that waits for a tool does not keep the process, nor does its connection.
		expect((await ask(say("look", { tools: [LOOK] }))).status).toBe(200);
		const answer = reading(await ask(say("wait", { stream: true })));
		await until(() => answer.text.includes("first"));

		program.child.kill("SIGTERM");
		let refusal = await ask(say("hello"));
		// The signal takes a moment.
		while (refusal.status === 200) refusal = await ask(say("hello"));
		expect(refusal.status).toBe(503);
		expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(await refusal.json()).toMatchObject({ error: { code: "shutting_down" } });
		expect(answer.over).toBe(false);
		release();
		await answer.done;
		expect(answer.text).toContain("and last");
		expect(answer.text.trimEnd()).toMatch(/data: \[DONE\]$/);

		const { code, out, err } = await program.ended;
		expect(code).toBe(0);
		expect(out.trim().split("\n")).toHaveLength(1);
		expect(err).toMatch(/^Stopping: .* under way, and may take 30 seconds to end\. Ctrl-C again stops at once\.$/m);
		await until(() => emulator.stats().streams.open === 0);
	});

	it("says that nobody is signed in, before a client finds out", async () => {
		const dataDir = temporaryFolder();
		const flags = ["--port", "0", "--data-dir", dataDir, "--upstream", emulator.url];
		const { child, prints, complains, ended } = startProgram(["serve", ...flags]);
		await prints(/Ctrl-C stops it/);
		await complains(/You are not signed in to Cursor: .*Run `cursorwire login`\./);
		child.kill("SIGTERM");
		expect((await ended).code).toBe(0);
	});

	it("O5: says in one line whose its port is", async () => {
		const { url, pid } = await start();
		const dataDir = temporaryFolder();
		const { port } = new URL(url);
		writeFileSync(join(dataDir, "gateway.json"), JSON.stringify({ url, pid, version: "0.1.0" }), { mode: 0o600 });
		const { code, err } = await runProgram(["serve", "--port", port, "--data-dir", dataDir, "--json"]);
		expect({ code, err }).toEqual({
			code: 2,
			err: `port ${port} is in use by a gateway that runs already (process ${pid}); use that one, stop it, or choose another port with --port\n`,
		});
	});

	it("O5: says in one line that its port is in use", async () => {
		const { port } = new URL(emulator.url);
		const dataDir = temporaryFolder();
		const { code, out, err } = await runProgram(["serve", "--port", port, "--data-dir", dataDir, "--json"]);
		expect({ code, out }).toEqual({ code: 2, out: "" });
		expect(err.trim().split("\n")).toHaveLength(1);
		expect(err).toContain(port);
	});
});

describe("L8, O7: the second signal", () => {
	it("ends what the first one waits for", async () => {
		const { ask, program, url } = await start();
		const { cancelled } = emulator.stats().runs;
		const before = cancelled.length;
		const answer = reading(await ask(say("speak-and-hang", { stream: true })));
		await until(() => answer.text.includes("first words"));
		program.child.kill("SIGINT");
		while ((await ask(say("hello"))).status === 200);
		// A load balancer is told that this gateway takes no more turns.
		const health = await fetch(`${url}/healthz`);
		expect([health.status, await health.json()]).toMatchObject([503, { status: "stopping" }]);
		program.child.kill("SIGTERM");
		expect((await program.ended).code).toBe(1);
		await expect(answer.done).rejects.toThrow();
		expect(answer.text).not.toContain("[DONE]");
		await until(() => emulator.stats().runs.cancelled.length === before + 1);
		expect(emulator.stats().streams.open).toBe(0);
	});
});

describe("the time that open answers are given", () => {
	it.each([true, false])("ends, and so do they (stream: %s)", async (stream) => {
		const rig = new Rig();
		await rig.start();
		onTestFinished(() => rig.emulator.close());
		const client = await rig.open();
		client.send(rig.chat(say("speak-and-hang", { stream })));
		if (stream) await client.sees(/first words/);
		else await until(() => rig.emulator.stats().runs.started === 1);
		await rig.gateway.close(50);
		await client.end();
		// The client is told in its own dialect, and is not left with half a reply.
		expect(client.unread).not.toContain("[DONE]");
		expect(client.unread).toContain('"code":"shutting_down"');
		expect(rig.turns).toMatchObject([{ status: 503, errorKind: "shutting-down" }]);
		await until(() => rig.emulator.stats().runs.cancelled.length === 1);
		expect(await rig.ledger()).toHaveLength(1);
		rmSync(rig.dataDir, { recursive: true });
	});
});
