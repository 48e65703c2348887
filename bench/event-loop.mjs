// `npm run bench:loop`: how long requests and replies of extreme size block the gateway's event loop.
//   ONLY=count   only the cases whose label contains this text
//   REPS=3       repetitions; the shortest counts, because the machine adds pauses of its own
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { replies, requests } from "./loop/cases.mjs";
import { buildGateway, prepareGateway, startGateway, startUpstream } from "./participants.mjs";
import { message, rssKilobytes, stopAll } from "./processes.mjs";

const REPS = Number(process.env.REPS ?? 3);
const SMALL_REPLY = { mode: "burst", deltas: 20 };
const MONITOR = ["--import", fileURLToPath(new URL("loop/monitor.mjs", import.meta.url))];

function ask({ port, key }, path, text) {
	return new Promise((resolve, reject) => {
		const bytes = Buffer.from(text);
		const headers = {
			"content-type": "application/json",
			"content-length": bytes.length,
			authorization: `Bearer ${key}`,
		};
		const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers, agent: false }, (response) => {
			let length = 0;
			let beginning = "";
			response.on("data", (chunk) => {
				length += chunk.length;
				if (beginning.length < 200) beginning += chunk.toString("latin1").slice(0, 200);
			});
			response.on("end", () => resolve({ status: response.statusCode, length, beginning }));
			response.on("error", reject);
		});
		sent.on("error", reject);
		sent.end(bytes);
	});
}

/** `pause` and `cpu` of the longest pause since the last call, in milliseconds. */
async function longestStretch(child) {
	const measured = message(child);
	child.send("longest");
	return measured;
}

async function measure(gateway, upstream, { path, body, reply = SMALL_REPLY }) {
	await upstream.set(reply);
	const value = typeof body === "function" ? body() : body;
	const text = typeof value === "string" ? value : JSON.stringify(value);
	await longestStretch(gateway.child);
	const begun = performance.now();
	const { status, length, beginning } = await ask({ port: gateway.port, key: gateway.keys[0] }, path, text);
	const took = performance.now() - begun;
	// Storing happens after the response.
	await sleep(300);
	const told = status === 200 ? `${length} bytes` : beginning.slice(0, 150);
	return { ...(await longestStretch(gateway.child)), took, status, told };
}

async function run() {
	await buildGateway();
	const upstream = await startUpstream();
	const login = await prepareGateway(upstream);
	process.on("exit", login.removeNow);
	const gateway = await startGateway(login, { nodeOptions: MONITOR, ipc: true });
	const address = [gateway, upstream];
	// Loads the tokenizer's tables and warms up the code.
	for (const each of [
		requests[0],
		requests[0],
		{ ...requests[1], body: { model: "auto", messages: [{ role: "user", content: "a" }] } },
	]) {
		await measure(...address, each);
	}
	console.log(
		"| what | longest stretch, ms of CPU | ms | whole request, ms | status | RSS, MB |\n| --- | ---: | ---: | ---: | --- | ---: |",
	);
	for (const each of [...requests, ...replies].filter(({ label }) => label.includes(process.env.ONLY ?? ""))) {
		const all = [];
		for (let index = 0; index < REPS; index++) all.push(await measure(...address, each));
		const { cpu, pause, took, status, told } = all.sort((a, b) => a.cpu - b.cpu)[0];
		const rss = Math.round(rssKilobytes(gateway.pid) / 1000);
		const row = [
			each.label,
			cpu.toFixed(0),
			pause.toFixed(0),
			took.toFixed(0),
			`${status} ${process.env.TELL ? told : ""}`.trim(),
			rss,
		];
		console.log(`| ${row.join(" | ")} |`);
	}
}

try {
	await run();
} finally {
	await stopAll();
}
