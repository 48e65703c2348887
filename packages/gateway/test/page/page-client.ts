// The page's side of the contract, without a browser.
import type { SessionAnswer } from "../../src/page/contract.ts";
import type { TestGateway } from "../kit/gateway.ts";

const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };

/** A code as `cursorwire open` gets it. */
export async function newCode(rig: Pick<TestGateway, "post">): Promise<string> {
	const response = await rig.post("/v1/cursorwire/page-code", {});
	return ((await response.json()) as { code: string }).code;
}

export function exchange(url: string, code: string, headers: Record<string, string> = {}): Promise<Response> {
	return fetch(`${url}/page/api/session`, {
		method: "POST",
		body: JSON.stringify({ code }),
		headers: { "content-type": "application/json", ...SAME_ORIGIN, ...headers },
	});
}

/** A page that is signed in. */
export async function openPage(rig: Pick<TestGateway, "post" | "url">): Promise<PageClient> {
	const { session } = (await (await exchange(rig.url, await newCode(rig))).json()) as SessionAnswer;
	return new PageClient(rig.url, session);
}

export class PageClient {
	readonly url: string;
	readonly session: string;

	constructor(url: string, session: string) {
		this.url = url;
		this.session = session;
	}

	fetch(path: string, init: RequestInit = {}): Promise<Response> {
		return fetch(`${this.url}/page/api/${path}`, {
			...init,
			headers: { "x-cursorwire-session": this.session, ...SAME_ORIGIN, ...init.headers },
		});
	}

	post(path: string): Promise<Response> {
		return this.fetch(path, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
	}
}
