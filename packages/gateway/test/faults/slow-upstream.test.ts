// C1: the client leaves before there is a run: while its account is looked up, and while a connection is made.
import { expect, it, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import { Bench, say } from "../kit/hostile/rig.ts";
import { TcpProxy } from "../kit/network/tcp-proxy.ts";
import { startProgram } from "../kit/program.ts";

it.each([true, false])("C1: leaving while the account is looked up starts no run (stream: %s)", async (stream) => {
	const bench = new Bench();
	const upstream = await bench.startEmulator();
	const proxy = await TcpProxy.listen(new URL(upstream.url));
	onTestFinished(() => proxy.close());
	proxy.add({ type: "latency", latency: 150 });
	await bench.start({ settings: { upstream: proxy.origin.href } });
	onTestFinished(() => bench.stop());
	const client = await bench.open();
	client.send(bench.chat(say("hang", { stream })));
	await until(() => proxy.connections > 0);
	client.reset();
	await until(() => bench.turns.length > 0);
	expect(bench.turns).toMatchObject([{ status: 499, errorKind: "cancelled" }]);
	proxy.clear();
	await bench.expectService();
	expect(bench.emulator.stats().runs).toMatchObject({ started: 1, ended: 1 });
	expect(bench.emulator.stats().streams.open).toBe(0);
	expect(bench.turns).toHaveLength(2);
	expect(bench.mistakes).toEqual([]);
});

it("C1: leaving while a connection is made leaves no run behind", async () => {
	const program = startProgram(["emulate", "--port", "0", "--json", "--brain", "echo"]);
	const [line] = await program.prints(/\{.*\}/);
	const { url } = JSON.parse(line) as { url: string };
	const stats = async () =>
		(await fetch(`${url}/__emulator/stats`)).json() as Promise<ReturnType<Bench["emulator"]["stats"]>>;
	const bench = new Bench();
	await bench.start({ settings: { upstream: url } });
	onTestFinished(() => bench.stop());
	// All but the connection for runs is known already.
	const models = await bench.answerTo(bench.head("GET", "/v1/models"));
	expect(models.status).toBe(200);

	program.child.kill("SIGSTOP");
	for (const stream of [true, false]) {
		const client = await bench.open();
		client.send(bench.chat(say("hello", { stream })));
		await new Promise((resolve) => setTimeout(resolve, 50));
		client.reset();
	}
	await until(() => bench.turns.length === 2);
	expect(bench.turns).toMatchObject([{ status: 499 }, { status: 499 }]);
	program.child.kill("SIGCONT");

	const answer = await bench.ask(say("hello"));
	expect(JSON.parse(answer.body).choices[0].message.content).toBe("hello");
	const { runs, streams } = await stats();
	expect(streams.open).toBe(0);
	expect(runs.started - runs.cancelled.length).toBe(1);
	expect(bench.mistakes).toEqual([]);
});
