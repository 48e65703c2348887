import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../time/clock.ts";
import { GatewayError } from "../../turn/error.ts";
import { apiKeyCredential, type Credential, sessionCredential, sessionTokenCredential } from "../credential.ts";
import { Secret } from "../secret.ts";
import { foundToken } from "../token/access-token.ts";
import { readClaims } from "../token/jwt.ts";
import { KEYCHAIN_LIMIT_MS, type LoadKeychain, readEntry, within } from "../vault/keychain-vault.ts";
import { readEditorState } from "./editor-state.ts";

/** A login of another program on this machine. Only its existence is checked until `read` is called. */
export interface ForeignLogin {
	/** Shown when the person is asked for permission. */
	program: string;
	place: string;
	read(): Promise<FoundLogin>;
}

export interface FoundLogin {
	accessToken?: Secret;
	refreshToken?: Secret;
	apiKey?: Secret;
}

export interface ImportOptions {
	home: string;
	platform: NodeJS.Platform;
	loadKeychain: LoadKeychain;
	clock: Clock;
}

const MAX_AUTH_FILE_BYTES = 1024 * 1024;
const KEYCHAIN_ACCOUNT = "cursor-user";

/** Finds the logins of Cursor's own programs on this machine. */
export async function findForeignLogins(options: ImportOptions): Promise<ForeignLogin[]> {
	const { home, platform } = options;
	const folders = FOLDERS[platform] ?? FOLDERS.linux!;
	const authFile = join(home, ...folders.cli, "auth.json");
	const stateFile = join(home, ...folders.editor, "User", "globalStorage", "state.vscdb");
	const found: ForeignLogin[] = [];
	if (await exists(authFile)) {
		found.push({ program: "Cursor CLI", place: authFile, read: () => readAuthFile(authFile) });
	}
	if (platform === "darwin" && (await hasModule(options))) {
		found.push({ program: "Cursor CLI", place: "the macOS keychain", read: () => readKeychain(options) });
	}
	if (await exists(stateFile)) {
		found.push({ program: "Cursor editor", place: stateFile, read: async () => readState(stateFile) });
	}
	return found;
}

/** A copy of a found login, bound to the upstream in use. The other program keeps its own. */
export function importedCredential(found: FoundLogin, place: string, origin: string, now: number): Credential {
	const { refreshToken, apiKey } = found;
	const accessToken = isToken(found.accessToken) ? found.accessToken : undefined;
	if (accessToken !== undefined && refreshToken !== undefined) {
		return sessionCredential(origin, foundToken(accessToken, now), refreshToken);
	}
	if (apiKey !== undefined) return apiKeyCredential(origin, apiKey);
	if (accessToken !== undefined) return sessionTokenCredential(origin, accessToken, now);
	throw new GatewayError("signed-out", `${place} contains no login.`, { nextStep: "Run `cursorwire login`." });
}

function isToken(found: Secret | undefined): boolean {
	return found !== undefined && readClaims(found.reveal()) !== undefined;
}

const APP_DATA = ["AppData", "Roaming", "Cursor"];
/** Where the CLI and the editor keep their files, relative to the home folder. */
const FOLDERS: Partial<Record<NodeJS.Platform, { cli: string[]; editor: string[] }>> = {
	linux: { cli: [".config", "cursor"], editor: [".config", "Cursor"] },
	darwin: { cli: [".config", "cursor"], editor: ["Library", "Application Support", "Cursor"] },
	win32: { cli: APP_DATA, editor: APP_DATA },
};

async function readAuthFile(path: string): Promise<FoundLogin> {
	if ((await stat(path)).size > MAX_AUTH_FILE_BYTES) throw unreadable(path);
	try {
		const content = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown> | null;
		const { accessToken, refreshToken, apiKey } = content ?? {};
		return { accessToken: secretOf(accessToken), refreshToken: secretOf(refreshToken), apiKey: secretOf(apiKey) };
	} catch (cause) {
		throw unreadable(path, (cause as NodeJS.ErrnoException).code);
	}
}

function readState(path: string): FoundLogin {
	try {
		const values = readEditorState(path, ["cursorAuth/accessToken", "cursorAuth/refreshToken"]);
		return {
			accessToken: secretOf(values["cursorAuth/accessToken"]),
			refreshToken: secretOf(values["cursorAuth/refreshToken"]),
		};
	} catch (cause) {
		throw unreadable(path, (cause as NodeJS.ErrnoException).code);
	}
}

async function readKeychain({ loadKeychain, clock }: ImportOptions): Promise<FoundLogin> {
	const { AsyncEntry } = await loadKeychain();
	const read = async (service: string) => {
		const entry = new AsyncEntry(service, KEYCHAIN_ACCOUNT);
		return secretOf(await within(KEYCHAIN_LIMIT_MS, (signal) => readEntry(entry, signal), clock));
	};
	return {
		accessToken: await read("cursor-access-token"),
		refreshToken: await read("cursor-refresh-token"),
		apiKey: await read("cursor-api-key"),
	};
}

async function hasModule({ loadKeychain }: ImportOptions): Promise<boolean> {
	return loadKeychain().then(
		() => true,
		() => false,
	);
}

async function exists(path: string): Promise<boolean> {
	return access(path, constants.R_OK).then(
		() => true,
		() => false,
	);
}

/** Omits the message of the cause, because a parser quotes what it could not parse. */
function unreadable(path: string, code?: string): GatewayError {
	return new GatewayError("signed-out", `${path} cannot be read${code ? ` (${code})` : ""}.`);
}

function secretOf(value: unknown): Secret | undefined {
	return typeof value === "string" && value !== "" ? new Secret(value) : undefined;
}
