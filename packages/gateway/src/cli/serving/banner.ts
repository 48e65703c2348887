import type { Gateway } from "../../app/gateway.ts";

/** A request that works when it is pasted. */
export function curlLine(url: string, key: string | undefined, prompt = "Say hello"): string {
	const body = JSON.stringify({ model: "auto", messages: [{ role: "user", content: prompt }] });
	const auth = key ? ` -H "authorization: Bearer ${key}"` : "";
	return `curl ${url}/v1/chat/completions${auth} -H "content-type: application/json" -d '${body}'`;
}

/** The address of the page, which works at once, and what opens it later. Empty if there is no page. */
export function pageLines(gateway: Gateway): string[] {
	const address = gateway.pageUrl();
	return address === undefined ? [] : [`  page       ${address}  (for a minute; later: \`cursorwire open\`)`];
}
