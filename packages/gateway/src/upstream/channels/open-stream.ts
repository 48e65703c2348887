import type { StreamHandler, Transport, WireRequest, WireStream } from "../../wire/stream.ts";

/**
 * Opens a stream and hands it over, at once if that is possible. A failure is always reported later: whoever opens a
 * channel has to have it before it can fail.
 */
export function openStream(
	transport: Transport,
	request: WireRequest,
	handler: StreamHandler,
	opened: (stream: WireStream) => void,
	failed: (error: unknown) => void,
): void {
	try {
		const stream = transport.open(request, handler);
		if (stream instanceof Promise) stream.then(opened, failed);
		else opened(stream);
	} catch (error) {
		queueMicrotask(() => failed(error));
	}
}
