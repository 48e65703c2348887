// The whole product for a file of tests, and what it takes to be rude to it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type EmulatorOptions, startEmulator } from "cursorwire-emulator";
import pino from "pino";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type Gateway, startGateway } from "../../../src/app/gateway.ts";
import type { GatewayOptions } from "../../../src/app/gateway-options.ts";
import { loadSettings, type Settings } from "../../../src/config/settings.ts";
import type { LedgerRow } from "../../../src/store/ledger-row.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { obedient } from "./brain.ts";
import { RawClient, type RawResponse } from "./raw-client.ts";

export interface RigOptions {
	emulator?: EmulatorOptions;
	settings?: Partial<Settings>;
	gateway?: Partial<GatewayOptions>;
}

export const CHAT = "/v1/chat/completions";
const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype).sort().join();

/** A body that the gateway answers. */
export const say = (content: unknown, more: object = {}) => ({
	model: "composer-1",
	messages: [{ role: "user", content }],
	...more,
});

export class Rig {
	emulator!: Emulator;
	gateway!: Gateway;
	dataDir!: string;
	key!: string;
	/** What the gateway logged as a mistake of its own. */
	readonly mistakes: string[] = [];
	/** What it logged about requests that are over. The ledger has the same rows, half a second later. */
	readonly turns: LedgerRow[] = [];

	/** The emulator alone, where something has to stand between it and the gateway. */
	async startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
		this.emulator = await startEmulator({ brain: obedient, ...options });
		return this.emulator;
	}

	async start({ emulator, settings, gateway }: RigOptions = {}): Promise<void> {
		this.dataDir = mkdtempSync(join(tmpdir(), "cursorwire-hostile-"));
		this.emulator ??= await this.startEmulator(emulator);
		const given = { port: 0, upstream: this.emulator.url, apiKey: "key_test", dataDir: this.dataDir, ...settings };
		this.gateway = await startGateway(loadSettings(given, {}).settings, {
			version: "test",
			runLimits: { backoffMs: 5, graceMs: 20 },
			log: pino({ level: "info" }, { write: (line) => this.#logged(line) }),
			...gateway,
		});
		this.key = this.gateway.key?.key ?? "";
	}

	#logged(line: string): void {
		const { level, msg, ...row } = JSON.parse(line);
		if (level >= pino.levels.values.error!) this.mistakes.push(line);
		if (msg === "turn") this.turns.push(row);
	}

	async stop(): Promise<void> {
		await this.gateway.close();
		await this.emulator.close();
		rmSync(this.dataDir, { recursive: true, force: true });
	}

	/** The same rig for another caller. */
	as(key: string): Rig {
		return Object.assign(Object.create(this) as Rig, { key });
	}

	get url(): string {
		return this.gateway.url;
	}

	get port(): number {
		return Number(new URL(this.gateway.url).port);
	}

	open(): Promise<RawClient> {
		return RawClient.open(this.port);
	}

	/** A request with the right Host and key. Header lines come as they are. */
	head(method: string, target: string, ...lines: string[]): string {
		const all = [`${method} ${target} HTTP/1.1`, `Host: 127.0.0.1:${this.port}`, `Authorization: Bearer ${this.key}`];
		return `${[...all, ...lines].join("\r\n")}\r\n\r\n`;
	}

	/** A whole request with a body as bytes. */
	post(target: string, body: unknown, ...lines: string[]): Buffer {
		const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
		const told = ["Content-Type: application/json", `Content-Length: ${bytes.length}`];
		return Buffer.concat([Buffer.from(this.head("POST", target, ...told, ...lines), "latin1"), bytes]);
	}

	/** A whole chat request as bytes. */
	chat(body: unknown, ...lines: string[]): Buffer {
		return this.post(CHAT, body, ...lines);
	}

	/** Sends the bytes on a connection of their own and reads one answer. */
	async answerTo(bytes: string | Uint8Array): Promise<RawResponse> {
		const client = await this.open();
		try {
			client.send(bytes);
			const [method] = Buffer.from(bytes).toString("latin1", 0, 10).split(" ");
			return await client.response(method);
		} finally {
			client.close();
		}
	}

	/** The same, where the gateway may also hang up without a word. */
	async refusalOf(bytes: string | Uint8Array): Promise<RawResponse | undefined> {
		const client = await this.open();
		client.send(bytes);
		const answer = await client.response().catch(() => undefined);
		client.close();
		return answer;
	}

	/** The answer to a chat body, which may be anything. */
	ask(body: unknown): Promise<RawResponse> {
		return this.answerTo(this.chat(body));
	}

	/** A client that keeps to the rules is served. */
	async expectService(): Promise<void> {
		const { status, body } = await this.ask(say("hello"));
		expect(status, body).toBe(200);
		expect(JSON.parse(body).choices[0].message.content).toBe("you said hello");
	}

	/** What was written down of the requests, newest first. */
	async ledger(until: (rows: LedgerRow[]) => boolean = () => true): Promise<LedgerRow[]> {
		for (;;) {
			const store = await openStore({ dataDir: this.dataDir, warn: (message) => expect.fail(message) });
			const rows = await store.lastRequests(1000).finally(() => store.close());
			if (until(rows)) return rows;
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	}
}

/** One rig for all tests of a file. After each of them the gateway has to be as good as new. */
export function useRig(options: RigOptions = {}): Rig {
	const rig = new Rig();
	beforeAll(() => rig.start(options));
	afterEach(async () => {
		expect(Object.getOwnPropertyNames(Object.prototype).sort().join()).toBe(PROTOTYPE);
		expect(rig.mistakes).toEqual([]);
		await rig.expectService();
	});
	afterAll(() => rig.stop());
	return rig;
}

/** A refusal in OpenAI's form, with one of the statuses. */
export function expectRefusal(response: RawResponse, ...statuses: number[]): { param: string | null; code: string } {
	const { error } = errorOf(response, statuses);
	expect(error).toEqual({
		message: expect.stringMatching(/\S/),
		type: expect.stringMatching(/^[a-z_]+$/),
		param: error.param === null ? null : expect.stringMatching(/\S/),
		code: expect.stringMatching(/^[a-z_]+$/),
	});
	return error;
}

/** A refusal in the form of whichever API the path belongs to. */
export function expectAnyRefusal(response: RawResponse, ...statuses: number[]): void {
	const body = errorOf(response, statuses);
	// The page's own, which says apart what to do.
	if (body.error.nextStep !== undefined) {
		const text = expect.stringMatching(/\S/);
		return expect(body.error).toMatchObject({ message: text, nextStep: text });
	}
	if (body.type !== "error") return void expectRefusal(response, ...statuses);
	expect(body.error).toMatchObject({ message: expect.stringMatching(/\S/), type: expect.stringMatching(/^[a-z_]+$/) });
}

function errorOf({ status, headers, body }: RawResponse, statuses: number[]) {
	expect(statuses, `${status} ${body.slice(0, 500)}`).toContain(status);
	expect(headers["content-type"]).toBe("application/json; charset=utf-8");
	return JSON.parse(body);
}

/** A route as a client would call it. */
export const targetOf = (path: string, name = "some-model"): string => path.replace(/\*|:\w+/g, name);
