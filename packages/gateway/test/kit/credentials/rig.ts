// A credential store against a real emulator, and ways to see what happened.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, type EmulatorOptions, startEmulator } from "cursorwire-emulator";
import { Account } from "../../../src/credentials/account.ts";
import { apiKeyCredential, type Credential, sessionCredential } from "../../../src/credentials/credential.ts";
import { type CredentialStore, openCredentialStore } from "../../../src/credentials/open-account.ts";
import { Secret } from "../../../src/credentials/secret.ts";
import { issuedToken } from "../../../src/credentials/token/access-token.ts";
import type { SharedLogins } from "../../../src/credentials/token/shared-logins.ts";
import { type Clock, systemClock } from "../../../src/time/clock.ts";
import { createConnector } from "../../../src/wire/connect/connector.ts";
import { H1Client } from "../../../src/wire/h1/h1.ts";
import { temporaryFolder } from "../../credentials/folder.ts";
import { closing } from "../cleanup.ts";

export interface RigOptions {
	emulator?: EmulatorOptions;
	/** The URL of a server between the store and the emulator. */
	upstream?: string;
	dataDir?: string;
	clock?: Clock;
	/** The gateways with the same login. */
	shared?: SharedLogins;
	/** For the HTTP client only. */
	wireClock?: Clock;
	now?: () => number;
}

export interface Rig extends CredentialStore {
	emulator: Emulator;
	upstream: string;
	dataDir: string;
	reports: string[];
	/** A new account object on the same vault. */
	account(): Account;
	/** What is stored, as text. */
	file(): string;
}

export async function openRig(options: RigOptions = {}): Promise<Rig> {
	const emulator = closing(await startEmulator({ brain: "echo", ...options.emulator }));
	return openRigOn(emulator, options);
}

export async function openRigOn(emulator: Emulator, options: RigOptions = {}): Promise<Rig> {
	const { dataDir = temporaryFolder(), clock = systemClock, now = Date.now, upstream = emulator.url } = options;
	const transport = closing(new H1Client({ connect: createConnector(), clock: options.wireClock }));
	const reports: string[] = [];
	const settings = { upstream, dataDir, vault: "file", apiKey: "" };
	const store = await openCredentialStore(settings, { transport, clock, now, report: (line) => reports.push(line) });
	const { keeper, client } = store;
	return {
		...store,
		emulator,
		upstream,
		dataDir,
		reports,
		account: () => new Account({ key: "test", keeper, client, clock, now, shared: options.shared }),
		file: () => readFileSync(join(dataDir, "credentials", "cursor.json"), "utf8"),
	};
}

/** A pair of tokens of the emulator, like that of a browser login. */
export async function freshPair(emulator: Emulator): Promise<{ accessToken: Secret; refreshToken: Secret }> {
	const response = await fetch(`${emulator.url}/auth/exchange_user_api_key`, {
		method: "POST",
		headers: { authorization: "Bearer key_demo" },
	});
	const { accessToken, refreshToken } = (await response.json()) as Record<string, string>;
	return { accessToken: new Secret(accessToken!), refreshToken: new Secret(refreshToken!) };
}

/** A browser login, good or with an access token that has expired. */
export async function sessionOf(rig: Rig, state: "good" | "expired", now = Date.now()): Promise<Credential> {
	const { accessToken, refreshToken } = await freshPair(rig.emulator);
	const access = issuedToken(accessToken, now);
	const expired = { ...access, expiresAt: 0, renewAt: 0 };
	return sessionCredential(rig.client.origin, state === "good" ? access : expired, refreshToken);
}

export function keyOf(rig: Rig, key = "key_demo"): Credential {
	return apiKeyCredential(rig.client.origin, new Secret(key));
}

/** Whether the emulator accepts the token for a call. */
export async function works(emulator: Emulator, token: Secret): Promise<boolean> {
	const response = await fetch(`${emulator.url}/aiserver.v1.DashboardService/GetMe`, {
		method: "POST",
		headers: { authorization: `Bearer ${token.reveal()}`, "content-type": "application/json" },
		body: "{}",
	});
	return response.status === 200;
}

/** Counts of the emulator's token calls so far. */
export function authCalls(emulator: Emulator): { exchanges: number; refreshes: number } {
	const { exchanges, refreshes } = emulator.stats().auth;
	return { exchanges, refreshes };
}
