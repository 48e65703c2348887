import { FrontDoor } from "../access/front-door.ts";
import type { KeyRing } from "../access/key-ring.ts";
import type { Settings } from "../config/settings.ts";
import { meaningOf, parseCredential, secretOf } from "../credentials/parse-credential.ts";
import { PageDoor } from "../page/session/page-door.ts";
import type { PageSessions } from "../page/session/page-sessions.ts";
import type { LateUpstream } from "./upstream/late-upstream.ts";

/** The door that all requests pass. */
export function openDoor(
	{ acceptCursorCredentials: acceptCredentials, noAuth, allowOrigins }: Settings,
	keys: KeyRing,
	late: LateUpstream,
	sessions: PageSessions | undefined,
): FrontDoor {
	return new FrontDoor({
		rules: { keys, cursorCredential, acceptCredentials, noAuth },
		allowedOrigins: new Set(listOf(allowOrigins)),
		checkCredential: async (credential) => (await late.side).guests.check(parseCredential(credential)!),
		...(sessions && { page: new PageDoor(sessions) }),
	});
}

/** The names by which other machines may call the gateway, besides those of the loopback interface. */
export const remoteNames = ({ allowRemote, host, allowHosts }: Settings): string[] =>
	allowRemote ? [host, ...listOf(allowHosts)] : [];

/** The entries of a setting that is a list with commas. */
const listOf = (setting: string) => setting.split(",").filter((entry) => entry !== "");

function cursorCredential(text: string): { secret: string; meaning: string } | undefined {
	const credential = parseCredential(text);
	return credential && { secret: secretOf(credential).reveal(), meaning: meaningOf(credential).reveal() };
}
