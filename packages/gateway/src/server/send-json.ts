import { jsonBytes, weight } from "../text/json-pieces.ts";
import { inSlices, SLICE_LENGTH, yieldToEventLoop } from "../time/slices.ts";
import type { ReplyOutlet } from "./reply-outlet.ts";

const JSON_TYPE = "application/json; charset=utf-8";

export function sendJson(response: ReplyOutlet, status: number, headers: Record<string, string>, body: object): void {
	if (response.headersSent || response.destroyed) return;
	const bytes = Buffer.from(JSON.stringify(body));
	response.writeHead(status, {
		"content-type": JSON_TYPE,
		"content-length": bytes.length,
		...headers,
	});
	response.end(bytes);
}

/** Like `sendJson`, for a body of any size: a large one is converted to text in slices. */
export async function sendLargeJson(
	response: ReplyOutlet,
	headers: Record<string, string>,
	body: object,
): Promise<void> {
	if (weight(body, SLICE_LENGTH) <= SLICE_LENGTH) return sendJson(response, 200, headers, body);
	// Building the body has probably used up this slice already.
	await yieldToEventLoop();
	const pieces = await inSlices(jsonBytes(body));
	if (response.headersSent || response.destroyed) return;
	const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
	response.writeHead(200, { "content-type": JSON_TYPE, "content-length": length, ...headers });
	for (const piece of pieces) response.write(piece);
	response.end();
}
