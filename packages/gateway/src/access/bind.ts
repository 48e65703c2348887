/** What decides whether the gateway may listen. */
export interface BindRequest {
	host: string;
	allowRemote: boolean;
	noAuth: boolean;
	hasKey: boolean;
}

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const LOOPBACK = new RegExp(`^(?:localhost|::1|127(?:\\.${OCTET}){3})$`);

/** Whether only this machine can reach the address. Spellings we do not know count as reachable by others. */
export function isLoopback(host: string): boolean {
	return LOOPBACK.test(host);
}

/** Why the gateway may not listen like this; undefined says it may. */
export function refusalToListen({ host, allowRemote, noAuth, hasKey }: BindRequest): string | undefined {
	if (isLoopback(host)) {
		return noAuth || hasKey ? undefined : "There is no gateway key, and --no-auth was not said.";
	}
	const address = host === "" ? "every address" : host;
	if (noAuth) return `Without keys the gateway listens on this machine only, not on ${address}. Leave out --no-auth.`;
	if (!allowRemote) return `Other machines could reach the gateway on ${address}. Say --allow-remote if they shall.`;
	return hasKey ? undefined : `Without a key the gateway does not listen on ${address}.`;
}
