// A14 and B1: bodies that never end cost next to nothing, and keep nobody out.
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { closing, until } from "../kit/cleanup.ts";
import { RawClient } from "../kit/hostile/raw-client.ts";
import { say } from "../kit/hostile/rig.ts";
import { openDescriptors, residentMegabytes } from "../kit/process-memory.ts";
import { temporaryFolder } from "../kit/program.ts";
import { type Served, serve } from "../kit/served.ts";

const MIB = 1 << 20;
const CHAT = "/v1/chat/completions";
const linux = process.platform === "linux";

async function start(env: Record<string, string> = {}): Promise<Served> {
	const emulator = closing(await startEmulator({ brain: "echo" }));
	const served = await serve({ upstream: emulator.url, dataDir: temporaryFolder(), env });
	for (let round = 0; round < 30; round++) expect(await textOf(await served.ask(say("warm up")))).toBe("warm up");
	return served;
}

async function textOf(response: Response): Promise<string> {
	const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
	return choices[0].message.content;
}

/** The head of a request that announces a body of this length, or one in chunks. */
function headOf({ url, key }: Served, length: number | "chunked"): string {
	const framing = length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
	return [
		`POST ${CHAT} HTTP/1.1`,
		`Host: ${new URL(url).host}`,
		`Authorization: Bearer ${key}`,
		"Content-Type: application/json",
		framing,
		"\r\n",
	].join("\r\n");
}

/** Sends as much of a body as the gateway takes, but for its last byte. */
async function holdBack(served: Served, length: number): Promise<RawClient> {
	const client = await RawClient.open(Number(new URL(served.url).port));
	client.socket.on("error", () => {});
	client.send(headOf(served, length));
	const piece = Buffer.alloc(MIB, " ");
	let left = length - 1;
	const more = () => {
		while (left > 0 && !client.socket.destroyed) {
			left -= piece.length;
			if (!client.socket.write(piece.subarray(0, Math.min(piece.length, left + piece.length)))) return;
		}
	};
	client.socket.on("drain", more);
	more();
	return client;
}

describe.runIf(linux)("A14: 60 sockets that hold back the end of a body of 32 MiB", () => {
	it("cost less than 64 MB, and the owner is answered meanwhile with the same key", async () => {
		const served = await start();
		const { pid } = served;
		const before = { memory: residentMegabytes(pid), descriptors: openDescriptors(pid) };
		const clients = await Promise.all(Array.from({ length: 60 }, () => holdBack(served, 32 * MIB)));
		let peak = 0;
		let refused = 0;
		for (const client of clients) {
			void client.response().then(
				({ status, headers }) => {
					expect(status).toBe(429);
					expect(Number(headers["retry-after"])).toBeGreaterThan(0);
					refused++;
				},
				() => {},
			);
		}
		while (refused < 59) {
			peak = Math.max(peak, residentMegabytes(pid) - before.memory);
			const answer = await served.ask(say("still there"));
			expect(answer.status).toBe(200);
			expect(await textOf(answer)).toBe("still there");
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		expect(peak).toBeLessThan(64);

		// Whoever leaves gives back what it held.
		for (const client of clients) client.close();
		await until(() => openDescriptors(pid) <= before.descriptors + 5);
		const whole = JSON.stringify(say("hello")).padEnd(32 * MIB);
		expect((await served.ask({}, { body: whole })).status).toBe(200);
	});
});

describe("large prompts at once", () => {
	it("L6: twenty of 20 MB are all answered", async () => {
		const served = await start();
		// Blanks behind JSON are JSON: what is measured is the way in, not the model.
		const body = JSON.stringify(say("hello")).padEnd(20e6);
		// On a busy machine the wait for room may end in a 429 or 503; a client comes back then, as every SDK does.
		const ask = async (tries = 10): Promise<Response> => {
			const answer = await served.ask({}, { body });
			if (![429, 503].includes(answer.status) || tries === 0) return answer;
			expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
			await answer.text();
			return ask(tries - 1);
		};
		const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
		for (const answer of answers) expect(await textOf(answer)).toBe("hello");
	});

	it("in chunks wait for room in the middle, and are refused where none comes", async () => {
		const served = await start();
		const held = await holdBack(served, 32 * MIB);
		const client = await RawClient.open(Number(new URL(served.url).port));
		client.send(headOf(served, "chunked"));
		const chunk = Buffer.from(`${MIB.toString(16)}\r\n${" ".repeat(MIB)}\r\n`);
		for (let sent = 0; sent < 12; sent++) client.send(chunk);
		expect((await client.response()).status).toBe(429);
		held.close();
		client.close();
		const small = await RawClient.open(Number(new URL(served.url).port));
		const body = JSON.stringify(say("in one chunk"));
		small.send(`${headOf(served, "chunked")}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
		expect((await small.response()).status).toBe(200);
		small.close();
	});
});
