// The one reader of event streams that tests use, so that no mistake of ours is in both the writer and the reader.
import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { StreamText } from "../../../src/text/stream-text.ts";

/** All that is to be written, at once. */
export const allOf = (text: StreamText): string => (typeof text === "string" ? text : [...text].join(""));

/** The events of a complete stream. A line that is no part of an event, a comment or a blank line is an error. */
export function readSse(stream: string): EventSourceMessage[] {
	const { feed, events } = eventReader();
	feed(stream);
	return events;
}

/** The same for clients that take every line break of Unicode for one, as Python's `splitlines` does. */
export function readSseByUnicodeLines(stream: string): EventSourceMessage[] {
	return readSse(stream.replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, "\n"));
}

/** The events of a response as they come. */
export async function* eventsOf({ body }: Response): AsyncGenerator<EventSourceMessage> {
	const { feed, events } = eventReader();
	for await (const text of body!.pipeThrough(new TextDecoderStream())) {
		feed(text);
		yield* events.splice(0);
	}
}

function eventReader() {
	const events: EventSourceMessage[] = [];
	const { feed } = createParser({
		onEvent: (event) => events.push(event),
		onError: (error) => {
			throw error;
		},
	});
	return { feed, events };
}
