import type { StreamHandler, Transport, WireRequest, WireStream } from "../../wire/stream.ts";

/** Whoever opens a stream gets it, or the error that kept it from opening. */
export interface StreamOpener {
	attach(stream: WireStream): void;
	unopened(error: unknown): void;
}

/**
 * Opens a stream and hands it over, at once if that is possible. A failure is always reported later: whoever opens a
 * channel has to have it before it can fail.
 */
export function openStream(
	transport: Transport,
	request: WireRequest,
	handler: StreamHandler,
	opener: StreamOpener,
): void {
	try {
		const stream = transport.open(request, handler);
		if (stream instanceof Promise) attachLater(stream, opener);
		else opener.attach(stream);
	} catch (error) {
		failLater(error, opener);
	}
}

function attachLater(stream: Promise<WireStream>, opener: StreamOpener): void {
	stream.then(
		(opened) => opener.attach(opened),
		(error) => opener.unopened(error),
	);
}

function failLater(error: unknown, opener: StreamOpener): void {
	queueMicrotask(() => opener.unopened(error));
}
