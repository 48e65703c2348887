import type { KvServerMessage } from "@cursorwire/protocol/agent";
import { GatewayError } from "../../../turn/error.ts";
import type { RunBlobs } from "./blobs.ts";
import { blobRead, blobStored } from "./client-messages.ts";

/** Stores a part of the conversation that Cursor gives, or reads one that it asks for; returns the answer. */
export function answerBlob({ id, message }: KvServerMessage, blobs: RunBlobs): Uint8Array {
	if (message.case === "setBlobArgs") {
		blobs.set(message.value.blobId, message.value.blobData);
		return blobStored(id);
	}
	const data = message.case === "getBlobArgs" ? blobs.get(message.value.blobId) : undefined;
	if (message.case === "getBlobArgs" && !data) {
		throw new GatewayError("upstream-protocol", "Cursor asked for a part of the conversation that is not here.");
	}
	return blobRead(id, data);
}
