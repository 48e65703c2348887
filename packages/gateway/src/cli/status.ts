import type { Command } from "commander";
import { type Credential, KIND_NAMES } from "../credentials/credential.ts";
import { wrongOrigin } from "../credentials/origin.ts";
import type { VaultPlace } from "../credentials/vault.ts";
import { GatewayError } from "../turn/error.ts";
import { type CredentialContext, runCredentialCommand } from "./credential-command.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { strong } from "./terminal.ts";

export interface StatusFlags {
	json?: boolean;
}

/** What `cursorwire status` shows; with `--json`, as it is. */
export interface LoginStatus {
	signedIn: boolean;
	upstream: string;
	kind?: Credential["kind"];
	/** Of the access token. Only a session token cannot be renewed after it. */
	expiresAt?: string;
	renewable?: boolean;
	/** `environment`: CURSOR_API_KEY. */
	source: "environment" | "vault";
	vault: VaultPlace["kind"];
	path?: string;
	/** What else a person should know: why one is signed out, why the keychain is not used. */
	notes: string[];
}

export function addStatusOptions(command: Command): Command {
	return command
		.description("show whether you are signed in, and where the login is kept")
		.option("--json", "as one JSON object");
}

/** `cursorwire status`. Exit code 3 when signed out, so that scripts can ask. */
export function status(flags: StatusFlags): Promise<void> {
	return runCredentialCommand({}, async (context) => {
		const status = await statusOf(context);
		if (flags.json) console.log(JSON.stringify(status));
		else printStatus(status);
		if (!status.signedIn) process.exitCode = EXIT_CODES.signedOut.code;
	});
}

export async function statusOf(
	context: Pick<CredentialContext, "settings" | "client" | "keeper" | "vault" | "note">,
): Promise<LoginStatus> {
	const { settings, client, keeper, vault, note } = context;
	const place = await vault.place();
	const base = {
		upstream: client.origin,
		vault: place.kind,
		path: place.kind === "file" ? place.path : undefined,
		notes: note === undefined ? [] : [note],
	};
	if (settings.apiKey !== "") {
		return { ...base, signedIn: true, kind: "api-key", renewable: true, source: "environment" };
	}
	try {
		const stored = await keeper.load();
		if (stored === undefined) throw new GatewayError("signed-out");
		if (stored.origin !== client.origin) throw wrongOrigin(stored.origin, client.origin);
		return { ...base, ...describe(stored), source: "vault" };
	} catch (error) {
		if (!(error instanceof GatewayError)) throw error;
		return { ...base, signedIn: false, source: "vault", notes: [error.fullMessage, ...base.notes] };
	}
}

function describe(credential: Credential): Pick<LoginStatus, "signedIn" | "kind" | "expiresAt" | "renewable"> {
	const { kind, access } = credential;
	const renewable = kind !== "session-token";
	const expiresAt = access && new Date(access.expiresAt).toISOString();
	return { signedIn: renewable || access!.expiresAt > Date.now(), kind, expiresAt, renewable };
}

/** For people. */
export function printStatus(status: LoginStatus): void {
	for (const line of linesOf(status)) console.log(line);
}

function linesOf(status: LoginStatus): string[] {
	const { signedIn, upstream, kind, source, vault, path, notes } = status;
	const rows: [name: string, value: string | undefined][] = [
		["kind", kind && `${KIND_NAMES[kind]}${source === "environment" ? " from CURSOR_API_KEY" : ""}`],
		["token", tokenLine(status)],
		["vault", source === "vault" ? (path ?? `the system's ${vault}`) : undefined],
		...notes.map((note): [string, string] => ["note", note]),
	];
	return [
		strong(signedIn ? `Signed in to ${upstream}` : `Signed out of ${upstream}`),
		...rows.filter(([, value]) => value !== undefined).map(([name, value]) => `  ${name.padEnd(7)}${value}`),
	];
}

function tokenLine({ expiresAt, renewable }: LoginStatus): string | undefined {
	if (expiresAt === undefined) return undefined;
	const verb = Date.parse(expiresAt) > Date.now() ? "expires" : "expired";
	return `${verb} ${expiresAt}, ${renewable ? "renewed by itself" : "cannot be renewed"}`;
}
