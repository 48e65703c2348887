// Sends requests over keep-alive connections. It can leave in the middle of a response, or read it slowly.
import { Agent, request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const RESPONSE_MILLISECONDS = 60_000;
const SLOW_PAUSE_MILLISECONDS = 20;

export class HttpClient {
	#port;
	#agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

	constructor(port) {
		this.#port = port;
	}

	/**
	 * Sends a request and reads the response. `leaveAfter`: milliseconds until the client hangs up. `slow`: it reads in
	 * small steps. Resolves with `left: true` if it hung up before the end.
	 */
	ask({ method = "POST", path, key, headers = {}, body, leaveAfter, slow = false }) {
		return new Promise((resolve, reject) => {
			const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
			const request = httpRequest({
				host: "127.0.0.1",
				port: this.#port,
				agent: this.#agent,
				method,
				path,
				headers: {
					...(key && { authorization: `Bearer ${key}` }),
					...(text !== undefined && { "content-type": "application/json" }),
					...headers,
				},
			});
			const late = setTimeout(() => request.destroy(new Error("no response in time")), RESPONSE_MILLISECONDS);
			let left = false;
			const leave =
				leaveAfter === undefined
					? undefined
					: setTimeout(() => {
							left = true;
							request.destroy();
						}, leaveAfter);
			const settle = (settled) => {
				clearTimeout(late);
				clearTimeout(leave);
				settled();
			};
			const failed = (error) => settle(() => (left ? resolve({ left: true }) : reject(error)));
			request.on("error", failed);
			request.on("response", (response) => {
				const { statusCode: status, headers: received } = response;
				readAll(response, slow).then(
					(text) => settle(() => resolve({ status, headers: received, text, left })),
					failed,
				);
			});
			request.end(text);
		});
	}

	/** Closes the idle connections. Further requests open new ones. */
	hangUp() {
		this.#agent.destroy();
	}
}

async function readAll(response, slow) {
	const chunks = [];
	for await (const chunk of response) {
		chunks.push(chunk);
		if (slow) await sleep(SLOW_PAUSE_MILLISECONDS);
	}
	return Buffer.concat(chunks).toString("utf8");
}
