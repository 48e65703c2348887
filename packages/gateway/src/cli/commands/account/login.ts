import { randomBytes } from "node:crypto";
import { AnswerFile } from "../../../calibrate/answer-file.ts";
import { plannedTurns } from "../../../calibrate/plan.ts";
import { SettingError } from "../../../config/settings.ts";
import { type Credential, sessionCredential } from "../../../credentials/credential.ts";
import { finishLogin, startLogin } from "../../../credentials/login/login-flow.ts";
import { statusOf } from "../../../credentials/login/login-status.ts";
import { newCredential, STORED_ACCOUNT } from "../../../credentials/open-account.ts";
import { parseCredential } from "../../../credentials/parse-credential.ts";
import { Secret } from "../../../credentials/secret.ts";
import { issuedToken } from "../../../credentials/token/access-token.ts";
import { renewCredential } from "../../../credentials/token/renew.ts";
import { rememberTold, wasTold } from "../../../credentials/vault/told-note.ts";
import { systemClock } from "../../../time/clock.ts";
import { GatewayError } from "../../../turn/error.ts";
import { chooseForeignLogin, importLogin } from "../../choose-import.ts";
import { type CredentialContext, runCredentialCommand } from "../../credential-command.ts";
import type { LoginFlags } from "../../options/account/login.ts";
import { openBrowser } from "../../terminal/open-browser.ts";
import { askOffer, askSecret } from "../../terminal/prompt.ts";
import { isInteractive, startSpinner, strong } from "../../terminal/terminal.ts";
import { printStatus } from "./status.ts";

/** `cursorwire login`. The old login stays until the new one is complete and, if it is a key, accepted by Cursor. */
export function login(flags: LoginFlags): Promise<void> {
	const overrides = flags.browser === false ? { openBrowser: false } : {};
	return runCredentialCommand(overrides, async (context) => {
		const signIn = chooseMethod(flags);
		await context.keeper.checkWritable();
		await context.keeper.save(await signIn(context, flags));
		// It may be another account.
		new AnswerFile(context.settings.dataDir, context.settings.upstream).forget(STORED_ACCOUNT);
		const status = await statusOf({ apiKey: "" }, context);
		if (flags.json) console.log(JSON.stringify({ event: "signed-in", ...status }));
		else printStatus({ ...status, notes: await newsOf(context) });
		if (context.settings.apiKey !== "") {
			console.error("CURSOR_API_KEY is set; it is used instead of this login until you unset it.");
		}
		if (isInteractive() && !flags.json) await offerCalibration(context);
	});
}

/** Why the keychain was not used, unless an earlier login has said so. */
async function newsOf({ note, settings: { dataDir } }: CredentialContext): Promise<string[]> {
	const why = note();
	if (why === undefined || (await wasTold(dataDir, why))) return [];
	await rememberTold(dataDir, why);
	return [why];
}

async function offerCalibration({ settings, signal }: CredentialContext): Promise<void> {
	const { announcement, calibrateNow } = await import("./calibrate.ts");
	const wishes = {};
	console.log(`\nThe gateway can now find out how Cursor treats this account.\n${announcement(plannedTurns(wishes))}`);
	if (await askOffer("Do this now? `cursorwire calibrate` does it later.", signal)) {
		await calibrateNow(settings, {}, wishes, signal);
	}
}

type SignIn = (context: CredentialContext, flags: LoginFlags) => Promise<Credential>;

function chooseMethod(flags: LoginFlags): SignIn {
	const methods: [flag: unknown, SignIn][] = [
		[flags.apiKey, withApiKey],
		[flags.sessionToken, withSessionToken],
		[flags.import, withImport],
	];
	const asked = methods.filter(([flag]) => flag !== undefined);
	if (asked.length > 1) throw new SettingError("give only one of --api-key, --session-token and --import");
	return asked[0]?.[1] ?? withImportOrBrowser;
}

const withApiKey: SignIn = async ({ client, signal }, { apiKey }) => {
	const key = await secretOf(apiKey, "Cursor API key", signal);
	const written = parseCredential(key.reveal());
	if (written?.kind === "session-token") throw new SettingError("that is a session token: use --session-token");
	const bound = newCredential({ kind: "api-key", apiKey: written?.apiKey ?? key }, client.origin, Date.now());
	return renewCredential(bound, { client, clock: systemClock, now: Date.now });
};

const withSessionToken: SignIn = async ({ client, signal }, { sessionToken }) => {
	const text = await secretOf(sessionToken, "session token", signal);
	const written = parseCredential(text.reveal());
	if (written?.kind === "api-key") throw new SettingError("that is an API key: use --api-key");
	if (written === undefined) {
		throw new GatewayError("invalid-request", "That is not a Cursor session token.", {
			nextStep: "Copy the value of the cookie WorkosCursorSessionToken from cursor.com.",
		});
	}
	const bound = newCredential(written, client.origin, Date.now());
	if (bound.access !== undefined && bound.access.expiresAt <= Date.now()) {
		throw new GatewayError("signed-out", "That session token has expired.", { nextStep: "Copy a fresh one." });
	}
	return bound;
};

const withImport: SignIn = async (context) => {
	const chosen = await chooseForeignLogin(context);
	if (chosen !== undefined) return importLogin(chosen, context);
	throw new GatewayError("signed-out", "No login of Cursor's CLI or editor was found on this machine.", {
		nextStep: "Run `cursorwire login` without --import.",
	});
};

/** The browser, unless the user prefers a login that is already on this machine. */
const withImportOrBrowser: SignIn = async (context, flags) => {
	const chosen = isInteractive() && !flags.json ? await chooseForeignLogin(context, "or the browser") : undefined;
	return chosen === undefined ? withBrowser(context, flags) : importLogin(chosen, context);
};

const withBrowser: SignIn = async ({ client, settings, signal }, { json }) => {
	const attempt = startLogin(settings.website, randomBytes);
	const isOpen = settings.openBrowser && (await openBrowser(attempt.url));
	if (json) console.log(JSON.stringify({ event: "open", url: attempt.url, opened: isOpen }));
	else {
		console.log(
			isOpen ? "Your browser is opening this page; approve the login there:" : strong("Open this page to sign in:"),
		);
		console.log(attempt.url);
	}
	const stopSpinner = startSpinner("Waiting for your approval (Ctrl-C gives up)");
	try {
		const { accessToken, refreshToken } = await finishLogin(attempt, client, systemClock, signal);
		return sessionCredential(client.origin, issuedToken(accessToken, Date.now()), refreshToken);
	} finally {
		stopSpinner();
	}
};

async function secretOf(flag: string | true | undefined, name: string, signal: AbortSignal): Promise<Secret> {
	if (flag === "") throw new SettingError(`the ${name} is empty; leave it out, and you are asked for it`);
	return typeof flag === "string" ? new Secret(flag) : askSecret(name, signal);
}
