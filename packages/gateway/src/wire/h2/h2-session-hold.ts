import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";

/**
 * Keeps the native part of a session alive for as long as one of its streams may own memory of it.
 *
 * Node aborts the process ("Assertion failed: (current_nghttp2_memory_) == (0)" in `~Http2Session`) when a session is
 * collected while header fields that were allocated through it still exist. A stream owns the fields of a header block
 * that is not complete yet, and a destroyed stream only frees them later in the same iteration of the event loop, or
 * when it is collected itself. So a peer could end the process by sending HEADERS without their end and then making
 * the connection fail: a garbage collection at that moment was enough. https://github.com/nodejs/node/issues/39951
 * describes the cause. It is closed, but Node 20.20, 22.23 and 24.21 still abort; `h2-collection.test.ts` shows it.
 *
 * The registry holds the session strongly, so the session is collected later than the stream, never together with it.
 * Most responses are complete when their stream closes, so the registry, which is slow, is used for the others only.
 */
const held = new FinalizationRegistry<object | undefined>(() => {});
const open = new Map<ClientHttp2Stream, object | undefined>();

/** Holds the session of a stream until `releaseSession`, or from `streamClosed` until the stream is collected. */
export function holdSession(session: ClientHttp2Session, stream: ClientHttp2Stream): void {
	open.set(stream, nativePart(session));
}

/** For a stream whose response is complete: it owns no header fields any more. */
export function releaseSession(stream: ClientHttp2Stream): void {
	open.delete(stream);
}

/** To be called when a stream has closed, however it ended. */
export function streamClosed(stream: ClientHttp2Stream): void {
	if (!open.has(stream)) return;
	held.register(stream, open.get(stream));
	open.delete(stream);
}

let handleKey: symbol | undefined;

/** A destroyed session drops its native part, so holding the session alone would not help. */
function nativePart(session: ClientHttp2Session): object | undefined {
	handleKey ??= Object.getOwnPropertySymbols(session).find(({ description }) => description === "kHandle");
	return handleKey && (session as unknown as Record<symbol, object | undefined>)[handleKey];
}
