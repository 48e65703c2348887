import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

/** One HTTP/1.1 call over a connection of its own, also to an emulator with TLS; without its CA nothing is checked. */
export function callOver(
	{ url, ca }: { url: string; ca: string | undefined },
	method: string,
	path: string,
	body?: object | string,
	headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
	return new Promise((resolve, reject) => {
		const options = { method, headers, agent: false, ca, rejectUnauthorized: ca !== undefined };
		const call = url.startsWith("https:") ? requestHttps : requestHttp;
		const request = call(`${url}${path}`, options, (response) => {
			const chunks: Buffer[] = [];
			response.on("data", (chunk) => chunks.push(chunk));
			response.on("error", reject);
			response.on("end", () =>
				resolve({
					status: response.statusCode ?? 0,
					headers: response.headers,
					body: Buffer.concat(chunks).toString("utf8"),
				}),
			);
		});
		request.on("error", reject);
		request.end(typeof body === "object" ? JSON.stringify(body) : body);
	});
}
