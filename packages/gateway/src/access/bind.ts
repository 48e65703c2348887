/** The settings that decide whether the gateway may listen. */
export interface BindRequest {
	host: string;
	allowRemote: boolean;
	noAuth: boolean;
	hasKey: boolean;
}

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const LOOPBACK = new RegExp(`^(?:localhost|::1|127(?:\\.${OCTET}){3})$`);

/** Whether only this machine can reach the address. Unknown spellings count as reachable from other machines. */
export function isLoopback(host: string): boolean {
	return LOOPBACK.test(host);
}

/** Why the gateway may not listen with these settings, or undefined if it may. */
export function refusalToListen({ host, allowRemote, noAuth, hasKey }: BindRequest): string | undefined {
	if (isLoopback(host)) {
		return noAuth || hasKey ? undefined : "There is no gateway key, and --no-auth was not given.";
	}
	const address = host === "" ? "every address" : host;
	if (noAuth) return `With --no-auth the gateway only listens on loopback, not on ${address}. Leave out --no-auth.`;
	if (!allowRemote) return `Other machines could reach the gateway on ${address}. Pass --allow-remote to allow that.`;
	return hasKey ? undefined : `The gateway does not listen on ${address} without a key.`;
}
