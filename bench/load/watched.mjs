// Short turns while the page is open and follows all of them.
import { withAndWithout } from "./with-and-without.mjs";

export function watched({ ownerKey, metricsKey: _unused, ...job }) {
	const url = `http://127.0.0.1:${job.port}`;
	return withAndWithout(job, ownerKey === undefined ? undefined : () => openPage(url, ownerKey));
}

/** Signs in as a page does, and reads the live stream. */
async function openPage(url, ownerKey) {
	const post = async (path, body, headers) => {
		const init = { method: "POST", body: JSON.stringify(body) };
		const response = await fetch(`${url}${path}`, {
			...init,
			headers: { "content-type": "application/json", ...headers },
		});
		if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
		return response.json();
	};
	const { code } = await post("/v1/cursorwire/page-code", {}, { authorization: `Bearer ${ownerKey}` });
	const { session } = await post("/page/api/session", { code }, {});
	const over = new AbortController();
	const headers = { "x-cursorwire-session": session };
	const { status, body } = await fetch(`${url}/page/api/live`, { headers, signal: over.signal });
	let changes = 0;
	const read = async () => {
		const decoder = new TextDecoder();
		for await (const bytes of body)
			changes += decoder.decode(bytes, { stream: true }).split("event: change").length - 1;
	};
	void read().catch(() => {});
	return () => {
		over.abort();
		if (status !== 200) return `the live stream was answered with ${status}`;
		return changes === 0 ? "the live stream told nothing" : "";
	};
}
