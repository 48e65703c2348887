/** The client has left: the turn just stops, without an error. */
export class ClientGone extends Error {
	constructor() {
		super("the client has left");
	}
}

/** A brain has cut the connection with `{ drop: true }`: the turn stops in the same way. */
export class Dropped extends Error {}

/** Throws the error of a turn again, unless it only says that the stream is gone. */
export function rethrowUnlessGone(error: unknown, clientGone: AbortSignal): void {
	if (error instanceof ClientGone || error instanceof Dropped || clientGone.aborted) return;
	throw error;
}
