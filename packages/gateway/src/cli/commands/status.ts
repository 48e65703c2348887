import type { Command } from "commander";
import { KIND_NAMES } from "../../credentials/credential.ts";
import { type LoginStatus, statusOf } from "../../credentials/login/login-status.ts";
import { runCredentialCommand } from "../credential-command.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { strong } from "../terminal/terminal.ts";

export interface StatusFlags {
	json?: boolean;
}

export function addStatusOptions(command: Command): Command {
	return command
		.description("show whether you are signed in, and where the login is kept")
		.option("--json", "as one JSON object");
}

/** `cursorwire status`. Exit code 3 when signed out, for scripts. */
export function status(flags: StatusFlags): Promise<void> {
	return runCredentialCommand({}, async (context) => {
		const status = await statusOf(context.settings, context);
		if (flags.json) console.log(JSON.stringify(status));
		else printStatus(status);
		if (!status.signedIn) process.exitCode = EXIT_CODES.signedOut.code;
	});
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
	return `${verb} ${expiresAt}, ${renewable ? "renewed automatically" : "cannot be renewed"}`;
}
