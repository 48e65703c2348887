/** One event of a `text/event-stream`. */
export interface StreamEvent {
	id: string | undefined;
	type: string;
	data: string;
}

/** Reads events from pieces of text that end anywhere. */
export class EventReader {
	#rest = "";

	read(piece: string): StreamEvent[] {
		const blocks = (this.#rest + piece).replaceAll("\r\n", "\n").split("\n\n");
		this.#rest = blocks.pop()!;
		return blocks.map(readBlock).filter((event) => event !== undefined);
	}
}

/** Undefined for comments, which only keep the stream alive. */
function readBlock(block: string): StreamEvent | undefined {
	let id: string | undefined;
	let type = "message";
	const data: string[] = [];
	for (const line of block.split("\n")) {
		const [, name, value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
		if (name === "id") id = value;
		else if (name === "event") type = value;
		else if (name === "data") data.push(value);
	}
	return data.length === 0 ? undefined : { id, type, data: data.join("\n") };
}

/** Whether an event with this id came before the one with the other. Ids count up, behind what names the gateway's start. */
export function isRepeated(id: string | undefined, last: string | undefined): boolean {
	if (id === undefined || last === undefined) return false;
	const [, start, count] = COUNTED.exec(id)!;
	const [, lastStart, lastCount] = COUNTED.exec(last)!;
	return start === lastStart && Number(count) <= Number(lastCount);
}

const COUNTED = /^(.*?)(\d*)$/;
