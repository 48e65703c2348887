import { sessionHeader, sessionIsOver } from "./session.ts";

/** What the gateway said instead of an answer. */
export class AskError extends Error {
	readonly nextStep: string | undefined;

	constructor(message: string, nextStep?: string) {
		super(message);
		this.nextStep = nextStep;
	}
}

const UNREACHABLE = new AskError("The gateway cannot be reached.", "Start it with: cursorwire serve");

/** A request to the gateway with the session of this tab. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
	const headers = { ...(init.headers as Record<string, string>), ...sessionHeader() };
	const response = await fetch(`/page/api/${path}`, { ...init, headers }).catch((error: Error) => {
		throw error.name === "AbortError" ? error : UNREACHABLE;
	});
	if (response.ok) return response;
	if (response.status === 401) sessionIsOver();
	throw await errorOf(response);
}

export const ask = async <T>(path: string, init?: RequestInit): Promise<T> =>
	(await (await send(path, init)).json()) as T;

async function errorOf(response: Response): Promise<AskError> {
	const body = (await response.json().catch(() => undefined)) as
		| { error?: { message?: string; nextStep?: string } }
		| undefined;
	return new AskError(body?.error?.message ?? `The gateway answered ${response.status}.`, body?.error?.nextStep);
}
