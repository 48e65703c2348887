/** An event of a gateway's own stream. */
export interface StreamedEvent {
	/** Undefined: an ordinary one. */
	name?: string;
	data: string;
}

/** The events of a response as they arrive. Comments, which only keep the connection open, are left out. */
export async function* streamedEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
	let rest = "";
	for await (const text of body.pipeThrough(new TextDecoderStream() as never) as ReadableStream<string>) {
		const blocks = (rest + text).split("\n\n");
		rest = blocks.pop()!;
		for (const block of blocks) {
			const event = eventOf(block);
			if (event) yield event;
		}
	}
}

function eventOf(block: string): StreamedEvent | undefined {
	const fields = new Map(block.split("\n").map((line) => splitField(line)));
	const data = fields.get("data");
	const name = fields.get("event");
	return data === undefined ? undefined : { data, ...(name !== undefined && { name }) };
}

function splitField(line: string): [name: string, value: string] {
	const colon = line.indexOf(": ");
	return [line.slice(0, colon), line.slice(colon + 2)];
}
