// The texts of a prompt, each of which is used up as parts of the client's request are found in it.
import type { ShownPart, ShownPrompt } from "cursorwire-emulator";

export type SlotKind = "system" | "user" | "assistant" | "tool" | "newest";

export class Slot {
	readonly place: string;
	readonly kind: SlotKind;
	/** Its place among all texts of the prompt. */
	readonly order: number;
	readonly #text: string;
	readonly #taken: { start: number; end: number }[] = [];

	constructor(place: string, kind: SlotKind, order: number, text: string) {
		this.place = place;
		this.kind = kind;
		this.order = order;
		this.#text = text;
	}

	/** Uses up the text where it is free. Apart means that a line begins with it and ends with it. */
	take(text: string, apart: boolean): boolean {
		for (let start = this.#text.indexOf(text); start >= 0; start = this.#text.indexOf(text, start + 1)) {
			const end = start + text.length;
			if (apart && !this.#isApart(start, end)) continue;
			if (this.#taken.some((taken) => taken.start < end && start < taken.end)) continue;
			this.#taken.push({ start, end });
			return true;
		}
		return false;
	}

	/** What nobody has taken, in pieces. */
	rest(): string[] {
		const pieces: string[] = [];
		let from = 0;
		for (const { start, end } of this.#taken.sort((one, other) => one.start - other.start)) {
			pieces.push(this.#text.slice(from, start));
			from = end;
		}
		return [...pieces, this.#text.slice(from)].map((piece) => piece.trim()).filter((piece) => piece !== "");
	}

	#isApart(start: number, end: number): boolean {
		const around = [this.#text[start - 1], this.#text[start], this.#text[end - 1], this.#text[end]];
		const [before, first, last, after] = around;
		const begins = before === undefined || before === "\n" || first === "\n";
		return begins && (after === undefined || after === "\n" || last === "\n");
	}
}

/** All that the model reads before it answers. What it says at the end is not part of that. */
export function slotsOf(prompt: ShownPrompt): Slot[] {
	const slots: Slot[] = [];
	const add = (place: string, kind: SlotKind, text: string) => slots.push(new Slot(place, kind, slots.length, text));
	const addPart = (place: string, kind: SlotKind, part: ShownPart): void => {
		if (part.type === "text") add(place, kind, part.text);
		if (part.type === "tool-result") for (const inner of part.parts) addPart(place, kind, inner);
	};
	for (const { channel, text } of prompt.system) add(`system ${channel}`, "system", text);
	prompt.history.forEach(({ role, parts }, index) => {
		for (const part of parts) addPart(`history ${index + 1} (${role})`, role, part);
	});
	for (const part of prompt.newest?.parts ?? []) addPart("newest", "newest", part);
	sinceBeforeAnswer(prompt).forEach(({ role, parts }, index) => {
		for (const part of parts) addPart(`since ${index + 1} (${role})`, role, part);
	});
	return slots;
}

export function sinceBeforeAnswer({ since }: ShownPrompt): ShownPrompt["since"] {
	return since.at(-1)?.role === "assistant" ? since.slice(0, -1) : since;
}
