import { findGateway, type GatewayDiscovery } from "../../../app/discovery.ts";
import { KIND_NAMES } from "../../../credentials/credential.ts";
import { type LoginStatus, statusOf } from "../../../credentials/login/login-status.ts";
import type { AccountProfile } from "../../../upstream/account/profile.ts";
import { cleanText } from "../../../upstream/errors/clean-text.ts";
import { askAboutAccount } from "../../ask-about-account.ts";
import { runCredentialCommand } from "../../credential-command.ts";
import type { StatusFlags } from "../../options/account/status.ts";
import { EXIT_CODES } from "../../process/exit-codes.ts";
import { strong } from "../../terminal/terminal.ts";

/** What `--json` prints. Login and gateway are known here; Cursor is asked about the account. */
interface FullStatus extends LoginStatus, Partial<AccountProfile> {
	/** Null: none is running on this data folder. */
	gateway?: Pick<GatewayDiscovery, "url" | "mode" | "pid" | "version" | "startedAt"> | null;
}

/** `cursorwire status`. Exit code 3 when signed out, for scripts. */
export function status(flags: StatusFlags): Promise<void> {
	return runCredentialCommand({}, async (context) => {
		const { settings } = context;
		const login = await askAboutAccount(await statusOf(settings, context), settings);
		const status = { ...login, gateway: gatewayOn(settings.dataDir) };
		if (flags.json) console.log(JSON.stringify(status));
		else printStatus(status);
		if (!status.signedIn) process.exitCode = EXIT_CODES.signedOut.code;
	});
}

function gatewayOn(dataDir: string): FullStatus["gateway"] {
	const found = findGateway(dataDir);
	if (found === undefined) return null;
	const { url, mode, pid, version, startedAt } = found;
	return { url, mode, pid, version, startedAt };
}

/** For people. */
export function printStatus(status: FullStatus): void {
	for (const line of linesOf(status)) console.log(line);
}

function linesOf(status: FullStatus): string[] {
	const { signedIn, upstream, kind, source, vault, path, notes } = status;
	const rows: [name: string, value: string | undefined][] = [
		["account", accountLine(status)],
		["kind", kind && `${KIND_NAMES[kind]}${source === "environment" ? " from CURSOR_API_KEY" : ""}`],
		["token", tokenLine(status)],
		["vault", source === "vault" ? (path ?? `the system's ${vault}`) : undefined],
		["gateway", gatewayLine(status)],
		...notes.map((note): [string, string] => ["note", note]),
	];
	return [
		strong(signedIn ? `Signed in to ${upstream}` : `Signed out of ${upstream}`),
		...rows.filter(([, value]) => value !== undefined).map(([name, value]) => `  ${name.padEnd(9)}${value}`),
	];
}

function accountLine({ email, userId, plan }: FullStatus): string | undefined {
	const name = email && userId ? `${email} (${userId})` : (email ?? userId);
	return name && cleanText(plan ? `${name}, ${plan} plan` : name);
}

function tokenLine({ expiresAt, renewable }: LoginStatus): string | undefined {
	if (expiresAt === undefined) return undefined;
	const verb = Date.parse(expiresAt) > Date.now() ? "expires" : "expired";
	return `${verb} ${expiresAt}, ${renewable ? "renewed automatically" : "cannot be renewed"}`;
}

function gatewayLine({ gateway }: FullStatus): string | undefined {
	if (gateway === undefined) return undefined;
	if (gateway === null) return "not running; `cursorwire serve` starts one";
	const { url, mode, startedAt } = gateway;
	return `${url}, ${mode === "demo" ? "a demo without an account" : "running"} since ${startedAt}`;
}
