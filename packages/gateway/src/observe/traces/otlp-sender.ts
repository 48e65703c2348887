import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { OtelTarget } from "./otel-settings.ts";

/** `later`: the collector may take it if it is sent again. */
export type SendResult = { how: "sent" } | { how: "later" | "refused"; reason: string };

/** What the protocol calls worth a retry. */
const RETRIED: readonly number[] = [429, 502, 503, 504];

/** Sends a body to a collector. Never fails, and ends after the target's time limit or when `signal` says so. */
export function sendOtlp(
	{ url, headers, timeoutMs }: OtelTarget,
	body: object,
	signal: AbortSignal,
): Promise<SendResult> {
	const bytes = Buffer.from(JSON.stringify(body));
	return new Promise((resolve) => {
		const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
		const failed = (error: Error) =>
			resolve({ how: "later", reason: limit.aborted ? "it takes too long" : reasonOf(error) });
		const send = url.protocol === "https:" ? requestHttps : requestHttp;
		try {
			const request = send(
				url,
				{
					method: "POST",
					headers: { ...headers, "content-type": "application/json", "content-length": bytes.length },
					signal: limit,
				},
				(response) => {
					const { statusCode = 0 } = response;
					response.on("error", failed);
					response.on("end", () => resolve(resultOf(statusCode)));
					response.resume();
				},
			);
			request.on("error", failed);
			request.end(bytes);
		} catch (error) {
			// Such as a header that cannot be sent.
			resolve({ how: "refused", reason: reasonOf(error as Error) });
		}
	});
}

function resultOf(status: number): SendResult {
	if (status >= 200 && status < 300) return { how: "sent" };
	return { how: RETRIED.includes(status) ? "later" : "refused", reason: `it answers with status ${status}` };
}

const reasonOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? error.message;
