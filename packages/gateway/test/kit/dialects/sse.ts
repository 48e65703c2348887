import type { StreamText } from "../../../src/text/stream-text.ts";

// For tests only: readers of event streams.

/** All that is to be written, at once. */
export const allOf = (text: StreamText): string => (typeof text === "string" ? text : [...text].join(""));

export interface SseEvent {
	event: string | undefined;
	data: string;
}

/** Events by the WHATWG rules, from a complete stream. */
export function readSse(stream: string): SseEvent[] {
	return readLines(stream.split(/\r\n|\r|\n/));
}

/** The same as read by clients that take every line break of Unicode for one, as Python's `splitlines` does. */
export function readSseByUnicodeLines(stream: string): SseEvent[] {
	return readLines(stream.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/));
}

function readLines(lines: readonly string[]): SseEvent[] {
	const events: SseEvent[] = [];
	let name: string | undefined;
	let data: string[] = [];
	for (const line of lines) {
		if (line === "") {
			if (data.length > 0) events.push({ event: name, data: data.join("\n") });
			name = undefined;
			data = [];
		}
		const colon = line.indexOf(":");
		const value = line.slice(colon + 1).replace(/^ /, "");
		if (line.slice(0, colon) === "event") name = value;
		if (line.slice(0, colon) === "data") data.push(value);
	}
	return events;
}
