const END_OF_EVENT = "\n\n";
const DATA = "data: ";

/** Takes the values of events out of a stream of server-sent events, which may be cut anywhere. */
export class EventMessages {
	/** The pieces of an event that is not complete. */
	#pieces: string[] = [];

	/** The JSON of every event that is complete now. */
	add(text: string): string[] {
		// An end may be cut in two.
		const cut = this.#pieces.at(-1)?.endsWith("\n") && text.startsWith("\n") ? this.#pieces.pop()! : "";
		const parts = (cut + text).split(END_OF_EVENT);
		const last = parts.pop()!;
		const events = parts.map((part) => this.#whole(part));
		if (last !== "") this.#pieces.push(last);
		return events.flatMap(dataOf);
	}

	#whole(end: string): string {
		const event = this.#pieces.join("") + end;
		this.#pieces = [];
		return event;
	}
}

function dataOf(event: string): string[] {
	const at = event.startsWith(DATA) ? 0 : event.indexOf(`\n${DATA}`) + 1;
	return at === 0 && !event.startsWith(DATA) ? [] : [event.slice(at + DATA.length)];
}
