/** A conversation as it was left: the state that Cursor gave us, and the blobs it refers to. */
export interface StoredConversation {
	state: Uint8Array;
	blobs: ReadonlyMap<string, Uint8Array>;
}
