import { homedir } from "node:os";
import type { Credential } from "../credentials/credential.ts";
import { type ForeignLogin, findForeignLogins, importedCredential } from "../credentials/login/import-login.ts";
import { renewCredential } from "../credentials/token/renew.ts";
import { loadKeychain } from "../credentials/vault/keychain-process.ts";
import { systemClock } from "../time/clock.ts";
import type { CredentialContext } from "./credential-command.ts";
import { askChoice } from "./terminal/prompt.ts";
import { isInteractive } from "./terminal/terminal.ts";

/**
 * Asks which login to copy. Undefined: there is none, or the person prefers the browser. Without a terminal, `--import`
 * counts as consent, and the first login found is used.
 */
export async function chooseForeignLogin(
	{ client, signal }: CredentialContext,
	alternative?: "or the browser",
): Promise<ForeignLogin | undefined> {
	const logins = await findForeignLogins({
		home: homedir(),
		platform: process.platform,
		loadKeychain,
		clock: systemClock,
	});
	if (logins.length === 0 || !isInteractive()) return logins[0];
	const options = logins.map(({ program, place }, value) => ({
		value,
		label: `Copy the login of ${program}`,
		hint: place,
	}));
	if (alternative) options.unshift({ value: -1, label: "Sign in with the browser", hint: "" });
	const answer = await askChoice(`How do you want to sign in to ${client.origin}?`, options, signal);
	return logins[answer];
}

/** Reads the chosen login, and renews it at once if it is about to expire: a copy of an expired login is useless. */
export async function importLogin(login: ForeignLogin, { client }: CredentialContext): Promise<Credential> {
	const now = Date.now();
	const copy = importedCredential(await login.read(), login.place, client.origin, now);
	const isGood = copy.access !== undefined && now < copy.access.renewAt;
	return isGood ? copy : renewCredential(copy, { client, clock: systemClock, now: Date.now });
}
