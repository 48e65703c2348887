/** Arguments that come in several messages: as pieces, or as all that is known so far, which servers do as they like. */
export class StreamedArguments {
	readonly #byCall = new Map<string, string>();

	/** Takes a message's text and returns what is new in it. */
	add(callId: string, text: string): string {
		const before = this.#byCall.get(callId) ?? "";
		// Arguments are an object, so a piece in the middle never begins like the whole.
		const piece = before !== "" && text.startsWith(before) ? text.slice(before.length) : text;
		this.#byCall.set(callId, before + piece);
		return piece;
	}

	/** All that came, the last piece included. */
	take(callId: string, last: string): string {
		this.add(callId, last);
		const all = this.#byCall.get(callId) ?? "";
		this.#byCall.delete(callId);
		return all;
	}
}
