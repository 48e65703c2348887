import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { type Listed, Roster } from "../../time/roster.ts";

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
const open = new Roster<SessionHold>();

/** Holds the session of a stream from now until `release`, or from `streamClosed` until the stream is collected. */
export class SessionHold implements Listed<SessionHold> {
	older: SessionHold | undefined;
	newer: SessionHold | undefined;
	readonly #session: object | undefined;

	constructor(session: ClientHttp2Session) {
		this.#session = nativePart(session);
		open.add(this);
	}

	/** For a stream whose response is complete: it owns no header fields any more. */
	release(): void {
		open.delete(this);
	}

	/** To be called when the stream has closed, however it ended. */
	streamClosed(stream: ClientHttp2Stream): void {
		if (!open.has(this)) return;
		held.register(stream, this.#session);
		open.delete(this);
	}
}

let handleKey: symbol | undefined;

/** A destroyed session drops its native part, so holding the session alone would not help. */
function nativePart(session: ClientHttp2Session): object | undefined {
	handleKey ??= Object.getOwnPropertySymbols(session).find(({ description }) => description === "kHandle");
	return handleKey && (session as unknown as Record<symbol, object | undefined>)[handleKey];
}
