// `npm run bench:group`: what it costs that a result reaches another gateway than the one whose run waits for it, how
// many bytes of it go through Redis, and what several gateways serve together. It needs redis-server.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { DELTA, DELTAS } from "./group/brain.mjs";
import { buildGateway, builtGateway } from "./participants.mjs";
import { adopt, cpuSeconds, listening, stopAll } from "./processes.mjs";

const TURNS = Number(process.env.TURNS ?? 400);
const CONVERSATIONS = Number(process.env.CONVERSATIONS ?? 8);
const SIZES = (process.env.SIZES ?? "1,2,4,8").split(",").map(Number);
const KEY = "one-key-for-all-gateways-of-the-group";
const TOOLS = [{ type: "function", function: { name: "step", description: "a step", parameters: { type: "object" } } }];

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cursorwire-bench-group-"));

function start(command, args, env = {}) {
	return adopt(
		spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] }),
	);
}

async function firstLine(child) {
	const [line] = await new Promise((resolve) =>
		createInterface({ input: child.stdout }).once("line", (...args) => resolve(args)),
	);
	return JSON.parse(line);
}

async function freePort() {
	const server = createServer().listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const { port } = server.address();
	await new Promise((resolve) => server.close(resolve));
	return port;
}

async function startGateway(at, upstream, redis) {
	const args = [builtGateway, "serve", "--port", "0", "--json", "--upstream", upstream];
	const child = start(process.execPath, [...args, "--data-dir", join(folder, `${at}-${Date.now()}`)], {
		CURSOR_API_KEY: "key_bench",
		CURSORWIRE_KEY: KEY,
		CURSORWIRE_REDIS: redis,
		CURSORWIRE_LOG_LEVEL: "silent",
	});
	return { child, ...(await firstLine(child)) };
}

async function turn(url, messages) {
	const response = await fetch(`${url}/v1/chat/completions`, {
		method: "POST",
		headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
		body: JSON.stringify({
			model: "composer-1",
			messages: messages.slice(0, 1).concat(messages.slice(-2)),
			tools: TOOLS,
		}),
	});
	const body = await response.json();
	if (!response.ok) throw new Error(JSON.stringify(body));
	return { path: response.headers.get("x-cursorwire-path"), message: body.choices[0].message };
}

/** One conversation, each turn at the gateway that `choose` names. The times of its turns, the first one left out. */
async function converse(turns, choose) {
	const messages = [{ role: "user", content: "go" }];
	const times = [];
	for (let n = 0; n <= turns; n++) {
		const began = performance.now();
		const { path, message } = await turn(choose(n), messages);
		if (n > 0 && path !== "parked") throw new Error(`turn ${n} was not parked but ${path}`);
		if (n > 0) times.push(performance.now() - began);
		messages.push(message, { role: "tool", tool_call_id: message.tool_calls[0].id, content: "done" });
	}
	return times;
}

const percentile = (times, share) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)];
const ms = (time) => `${time.toFixed(2)} ms`;

/** What Redis has received and sent, in bytes. */
async function redisTraffic(port) {
	const socket = connect(port, "127.0.0.1").setEncoding("utf8");
	socket.end("INFO stats\r\n");
	let text = "";
	for await (const piece of socket) text += piece;
	return ["input", "output"].map((way) => Number(new RegExp(`total_net_${way}_bytes:(\\d+)`).exec(text)[1]));
}

/** Bytes into and out of Redis for each delta of a reply that is handed over. */
async function bytesPerDelta(one, other, port, manner) {
	const messages = [{ role: "user", content: manner }];
	const { message } = await turn(one.url, messages);
	messages.push(message, { role: "tool", tool_call_id: message.tool_calls[0].id, content: "done" });
	const before = await redisTraffic(port);
	await turn(other.url, messages);
	const after = await redisTraffic(port);
	const [into, out] = after.map((bytes, at) => Math.round((bytes - before[at]) / DELTAS));
	console.log(
		`${manner.padEnd(14)} ${into} bytes into Redis and ${out} out of it per delta of ${DELTA.length} characters`,
	);
}

async function load(gateways, redisPid) {
	const cpu = () => gateways.reduce((sum, { child }) => sum + cpuSeconds(child.pid), 0);
	const before = { cpu: cpu(), redis: cpuSeconds(redisPid), at: performance.now() };
	const each = Math.ceil(TURNS / CONVERSATIONS);
	await Promise.all(
		Array.from({ length: CONVERSATIONS }, (_, at) => converse(each, (n) => gateways[(at + n) % gateways.length].url)),
	);
	const turns = each * CONVERSATIONS;
	const seconds = (performance.now() - before.at) / 1000;
	const perTurn = (used) => `${((used * 1000) / turns).toFixed(2)} ms`;
	console.log(
		`| ${gateways.length} | ${Math.round(turns / seconds)} | ${perTurn(cpu() - before.cpu)} | ${perTurn(cpuSeconds(redisPid) - before.redis)} |`,
	);
}

try {
	await buildGateway();
	const port = await freePort();
	const redis = start("redis-server", ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", ""]);
	await listening(redis, port);
	const brain = fileURLToPath(new URL("./group/brain.mjs", import.meta.url));
	const { url: upstream } = await firstLine(
		start(process.execPath, [
			...["packages/emulator/bin/cursorwire-emulator.mjs", "--port", "0", "--json", "--log", "0", "--brain", brain],
		]),
	);
	const gateways = [];
	for (let at = 0; at < Math.max(2, ...SIZES); at++) {
		gateways.push(await startGateway(at, upstream, `redis://127.0.0.1:${port}`));
	}
	const [one, other] = gateways;
	const local = () => one.url;
	const alternating = (n) => (n % 2 === 0 ? one : other).url;
	await converse(100, alternating);
	const rounds = { local: [], handed: [] };
	for (let round = 0; round < 4; round++) {
		rounds.local.push(...(await converse(TURNS / 4, local)));
		// The owner is the one that got the first request, so every second turn is handed over.
		rounds.handed.push(...(await converse(TURNS / 2, alternating)).filter((_, at) => at % 2 === 0));
	}
	const [here, there] = [rounds.local, rounds.handed];
	console.log(`local resume   p50 ${ms(percentile(here, 0.5))}, p99 ${ms(percentile(here, 0.99))}`);
	console.log(`handed over    p50 ${ms(percentile(there, 0.5))}, p99 ${ms(percentile(there, 0.99))}`);
	console.log(`hand-over adds p50 ${ms(percentile(there, 0.5) - percentile(here, 0.5))}\n`);
	for (const manner of ["one by one", "all at once"]) await bytesPerDelta(one, other, port, manner);
	console.log("");
	// A gateway that has not worked yet spends most of its first turns on compiling itself.
	for (const { url } of gateways) await converse(100, () => url);
	console.log("| gateways | turns/s | CPU of the gateways per turn | CPU of Redis per turn |\n|---|---|---|---|");
	for (const size of SIZES) await load(gateways.slice(0, size), redis.pid);
} finally {
	await stopAll();
	rmSync(folder, { recursive: true, force: true });
}
