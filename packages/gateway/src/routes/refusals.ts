import { GatewayError } from "../turn/error.ts";

// Parts of the clients' APIs that the gateway does not have.

/** A 404, because clients repeat requests to what looks like a failing server. */
export function noEmbeddings(): never {
	throw new GatewayError("not-found", "Cursor has no embeddings, and so the gateway has none.", {
		nextStep: "Let your client get its embeddings from another provider, or switch them off there.",
	});
}

/** A client that is refused a WebSocket here falls back to HTTP at once. */
export function noWebSocket(): never {
	throw new GatewayError("no-websocket");
}
