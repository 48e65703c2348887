import { GatewayError } from "../turn/error.ts";

/** The answer to `POST /v1/embeddings`. A 404, as clients repeat what looks like a failing server. */
export function noEmbeddings(): never {
	throw new GatewayError("not-found", "Cursor has no embeddings, and so the gateway has none.", {
		nextStep: "Let your client get its embeddings from another provider, or switch them off there.",
	});
}
