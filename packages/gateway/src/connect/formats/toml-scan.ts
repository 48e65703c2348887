import { parse } from "smol-toml";
import type { Path } from "../edit.ts";

/** A value in a text, with its members if it is an inline table. */
export interface TomlValue {
	from: number;
	to: number;
	members?: TomlMember[];
}

/** A key with its value; the path starts at the inline table or the root. */
export interface TomlMember {
	path: Path;
	from: number;
	value: TomlValue;
}

/** A line that sets a key, or the header of a table, which has no value. */
export interface TomlStatement {
	/** From the root. */
	path: Path;
	/** The path of the table that it is written in; for a header its own. */
	table: Path;
	from: number;
	to: number;
	value?: TomlValue;
}

/** The statements of a valid file, in order, with their places. */
export function scanToml(text: string): TomlStatement[] {
	const scanner = new TomlScanner(text);
	const lists = new Map<string, number>();
	const found: TomlStatement[] = [];
	let table: Path = [];
	while (scanner.skipBlank()) {
		const from = scanner.at;
		if (text[from] === "[") {
			table = tableOf(scanner.header(), text.startsWith("[[", from), lists);
			found.push({ path: table, table, from, to: scanner.at });
		} else {
			const { path, value } = scanner.member();
			found.push({ path: [...table, ...path], table, from, to: value.to, value });
		}
	}
	return found;
}

/** A header that leads through a list of tables means its last item so far. */
function tableOf(steps: string[], isItem: boolean, lists: Map<string, number>): Path {
	const name = JSON.stringify(steps);
	if (isItem) lists.set(name, (lists.get(name) ?? -1) + 1);
	return steps.flatMap((step, depth) => {
		const index = lists.get(JSON.stringify(steps.slice(0, depth + 1)));
		return index === undefined ? [step] : [step, index];
	});
}

const KEY_STEP = /\s*(?:("(?:[^"\\]|\\.)*"|'[^']*')|([\w-]+))[ \t]*(\.?)/y;
const STRING = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\]|\\.)*"|'[^']*'/y;
const BARE = /[^,\]}#\r\n]+/y;
const BLANK = /(?:\s|#[^\n]*)*/y;

class TomlScanner {
	at = 0;
	readonly #text: string;

	constructor(text: string) {
		this.#text = text;
	}

	/** False at the end of the text. */
	skipBlank(): boolean {
		this.#take(BLANK);
		return this.at < this.#text.length;
	}

	header(): string[] {
		while (this.#text[this.at] === "[") this.at++;
		const steps = this.#key();
		this.skipBlank();
		while (this.#text[this.at] === "]") this.at++;
		return steps;
	}

	member(): TomlMember {
		const from = this.at;
		const path = this.#key();
		this.at = this.#text.indexOf("=", this.at) + 1;
		this.skipBlank();
		return { path, from, value: this.#value() };
	}

	#value(): TomlValue {
		const from = this.at;
		const opening = this.#text[from];
		if (opening === "{") return { from, members: this.#all("}", () => this.member()), to: this.at };
		if (opening === "[") this.#all("]", () => this.#value());
		else if (!this.#take(STRING)) this.at = from + this.#take(BARE).trimEnd().length;
		return { from, to: this.at };
	}

	/** What stands between brackets. */
	#all<T>(closing: string, read: () => T): T[] {
		const found: T[] = [];
		this.at++;
		while (this.skipBlank() && this.#text[this.at] !== closing) {
			if (this.#text[this.at] === ",") this.at++;
			else found.push(read());
		}
		this.at++;
		return found;
	}

	#key(): string[] {
		const steps: string[] = [];
		for (let hasMore = true; hasMore; ) {
			KEY_STEP.lastIndex = this.at;
			const [whole, quoted, bare, dot] = KEY_STEP.exec(this.#text)!;
			steps.push(bare ?? String(parse(`key = ${quoted}`).key));
			this.at += whole.length;
			hasMore = dot === ".";
		}
		return steps;
	}

	#take(pattern: RegExp): string {
		pattern.lastIndex = this.at;
		const taken = pattern.exec(this.#text)?.[0] ?? "";
		this.at += taken.length;
		return taken;
	}
}
