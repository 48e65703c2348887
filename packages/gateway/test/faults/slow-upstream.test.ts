// C1: the client leaves before there is a run: while its account is looked up, and while a connection is made.
import { expect, it, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import { Rig, say } from "../kit/hostile/rig.ts";
import { TcpProxy } from "../kit/network/tcp-proxy.ts";
import { startProgram } from "../kit/program.ts";

it.each([true, false])("C1: leaving while the account is looked up starts no run (stream: %s)", async (stream) => {
	const rig = new Rig();
	const upstream = await rig.startEmulator();
	const proxy = await TcpProxy.listen(new URL(upstream.url));
	onTestFinished(() => proxy.close());
	proxy.add({ type: "latency", latency: 150 });
	await rig.start({ settings: { upstream: proxy.origin.href } });
	onTestFinished(() => rig.stop());
	const client = await rig.open();
	client.send(rig.chat(say("hang", { stream })));
	await until(() => proxy.connections > 0);
	client.reset();
	await until(() => rig.turns.length > 0);
	expect(rig.turns).toMatchObject([{ status: 499, errorKind: "cancelled" }]);
	proxy.clear();
	await rig.expectService();
	expect(rig.emulator.stats().runs).toMatchObject({ started: 1, ended: 1 });
	expect(rig.emulator.stats().streams.open).toBe(0);
	expect(rig.turns).toHaveLength(2);
	expect(rig.mistakes).toEqual([]);
});

it("C1: leaving while a connection is made leaves no run behind", async () => {
	const program = startProgram(["emulate", "--port", "0", "--json", "--brain", "echo"]);
	const [line] = await program.prints(/\{.*\}/);
	const { url } = JSON.parse(line) as { url: string };
	const stats = async () =>
		(await fetch(`${url}/__emulator/stats`)).json() as Promise<ReturnType<Rig["emulator"]["stats"]>>;
	const rig = new Rig();
	await rig.start({ settings: { upstream: url } });
	onTestFinished(() => rig.stop());
	// All but the connection for runs is known already.
	const models = await rig.answerTo(rig.head("GET", "/v1/models"));
	expect(models.status).toBe(200);

	program.child.kill("SIGSTOP");
	for (const stream of [true, false]) {
		const client = await rig.open();
		client.send(rig.chat(say("hello", { stream })));
		// The upstream is another process, which is stopped: nothing tells how far the gateway has come with it.
		await new Promise((resolve) => setTimeout(resolve, 50));
		client.reset();
	}
	await until(() => rig.turns.length === 2);
	expect(rig.turns).toMatchObject([{ status: 499 }, { status: 499 }]);
	program.child.kill("SIGCONT");

	const answer = await rig.ask(say("hello"));
	expect(JSON.parse(answer.body).choices[0].message.content).toBe("hello");
	const { runs, streams } = await stats();
	expect(streams.open).toBe(0);
	expect(runs.started - runs.cancelled.length).toBe(1);
	expect(rig.mistakes).toEqual([]);
});
