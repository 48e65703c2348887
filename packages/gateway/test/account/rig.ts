// An account at an emulator, as the gateway would have it.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type EmulatorOptions, startEmulator } from "cursorwire-emulator";
import { onTestFinished } from "vitest";
import { AccountFacts, type AccountFactsOptions } from "../../src/upstream/account/account-facts.ts";
import type { RpcClient } from "../../src/upstream/account/rpc.ts";
import type { TokenSource } from "../../src/upstream/account/token-source.ts";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { H1Client } from "../../src/wire/h1/h1.ts";
import { H2Pool } from "../../src/wire/h2/h2-pool.ts";
import { unary } from "../../src/wire/unary.ts";
import { closing } from "../kit/cleanup.ts";

export const IDENTITY = { clientType: "cli", clientVersion: "cli-test" };

export async function emulator(options?: EmulatorOptions): Promise<Emulator> {
	return closing(await startEmulator(options));
}

export function http1(): H1Client {
	return closing(new H1Client({ connect: createConnector() }));
}

export function http2(): H2Pool {
	return closing(new H2Pool({ connect: createConnector() }));
}

/** Exchanges an API key, and again after each refusal. */
export class KeyTokens implements TokenSource {
	readonly refused: string[] = [];
	readonly #upstream: URL;
	readonly #apiKey: string;
	readonly #transport: H1Client;
	#token: Promise<string> | undefined;

	constructor(upstream: string, apiKey = "key_demo") {
		this.#upstream = new URL(upstream);
		this.#apiKey = apiKey;
		this.#transport = http1();
	}

	token(): Promise<string> {
		this.#token ??= this.#exchange();
		return this.#token;
	}

	async tokenRefused(token: string): Promise<void> {
		this.refused.push(token);
		if ((await this.#token) === token) this.#token = undefined;
	}

	async #exchange(): Promise<string> {
		const headers = { authorization: `Bearer ${this.#apiKey}`, "content-type": "application/json" };
		const request = { origin: this.#upstream, key: "keys", path: "/auth/exchange_user_api_key", headers };
		const response = await unary(this.#transport, request, Buffer.from("{}"));
		return JSON.parse(response.body.toString()).accessToken;
	}
}

/** Tokens out of a list, one after the other. */
export class ListedTokens implements TokenSource {
	readonly refused: string[] = [];
	readonly #tokens: string[];

	constructor(...tokens: string[]) {
		this.#tokens = tokens;
	}

	async token(): Promise<string> {
		return this.#tokens[Math.min(this.refused.length, this.#tokens.length - 1)]!;
	}

	async tokenRefused(token: string): Promise<void> {
		this.refused.push(token);
	}
}

export function rpcClient(upstream: string, changes: Partial<RpcClient> = {}): RpcClient {
	let ids = 0;
	return {
		transport: changes.transport ?? http1(),
		baseUrl: new URL(upstream),
		connectionKey: "account",
		tokens: changes.tokens ?? new KeyTokens(upstream),
		identity: IDENTITY,
		ghostMode: () => true,
		countUnknown: () => {},
		newId: () => `request-${++ids}`,
		now: Date.now,
		...changes,
	};
}

export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-account-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

export function accountFacts(upstream: string, changes: Partial<AccountFactsOptions> = {}): AccountFacts {
	return new AccountFacts({
		upstream: new URL(upstream),
		transport: changes.transport ?? http1(),
		tokens: changes.tokens ?? new KeyTokens(upstream),
		accountId: "user_01DEMO",
		identity: IDENTITY,
		countUnknown: () => {},
		modelAppeared: () => {},
		dataDir: changes.dataDir ?? temporaryFolder(),
		modelAliases: {},
		now: Date.now,
		newId: () => "request",
		...changes,
	});
}

/** A server that is not the emulator: proxies, captive portals, broken backends. */
export async function serve(listener: RequestListener): Promise<string> {
	const server: Server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Hands requests on to a backend, or answers 503 where the condition does not hold. */
export function forward(backend: string, isUp: (path: string) => boolean): Promise<string> {
	return serve(async (request, response) => {
		const path = request.url ?? "";
		if (!isUp(path)) return void response.writeHead(503).end();
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { method = "GET", headers } = request;
		const body = method === "POST" ? { body: Buffer.concat(chunks) } : {};
		const answer = await fetch(backend + path, { method, headers: headers as Record<string, string>, ...body });
		const type = answer.headers.get("content-type") ?? "";
		response.writeHead(answer.status, { "content-type": type }).end(Buffer.from(await answer.arrayBuffer()));
	});
}

/** A command's output in memory. */
export class Screen {
	text = "";
	isTTY?: boolean;
	columns?: number;

	write(text: string): void {
		this.text += text;
	}
}
