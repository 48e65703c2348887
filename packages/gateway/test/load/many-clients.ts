// Many clients at once, on few connections' worth of memory, for gateways in processes of their own.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

/** One connection for each request: streams are open at the same time. */
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

export interface Streamed {
	status: number;
	/** Texts of the events, in the order in which they came. */
	texts: string[];
	isDone: boolean;
}

/** A streamed chat request, read to its end. */
export function stream({ url, key }: { url: string; key: string }, prompt: string): Promise<Streamed> {
	const body = JSON.stringify({ model: "composer-1", stream: true, messages: [{ role: "user", content: prompt }] });
	return new Promise((resolve, reject) => {
		const call = request(`${url}/v1/chat/completions`, {
			agent,
			method: "POST",
			headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		});
		call.on("error", reject);
		call.on("response", async (response) => {
			let text = "";
			try {
				for await (const chunk of response.setEncoding("utf8")) text += chunk;
			} catch (error) {
				return reject(error as Error);
			}
			const texts = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content!);
			resolve({ status: response.statusCode!, texts, isDone: text.endsWith("data: [DONE]\n\n") });
		});
		call.end(body);
	});
}

export const megabytesOf = (pid: number): number =>
	Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]) / 1024;

/** The largest it has been. */
export const peakMegabytesOf = (pid: number): number =>
	Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]) / 1024;
