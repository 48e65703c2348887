// Texts name commands as `cursorwire <command>`. Whether a person can type that depends on how the program was started,
// so the places where a text leaves the process put the name in that is right there (ADR 28).

const NAME = "cursorwire";

/** A command in backticks, or inside `$(…)`. */
const COMMAND = /(`|\$\()cursorwire(?= )/g;

/** In a page of help, where commands stand without backticks: the usage, and indented examples. */
const HELP_COMMAND = /^(Usage: | {2,}(?:\w+ {2,})?)cursorwire(?= )/gm;

let startedAs = NAME;

/** Sets what to type to start this program, such as `npx cursorwire`. Until then it is `cursorwire`. */
export function setStartedAs(name: string): void {
	startedAs = name;
}

/** The text with its commands as they can be typed. A text that is JSON remains JSON. */
export function asStarted(text: string): string {
	if (startedAs === NAME || !text.includes(NAME)) return text;
	const name = /^\s*[{[]/.test(text) ? JSON.stringify(startedAs).slice(1, -1) : startedAs;
	return text.replace(COMMAND, (_, before) => `${before}${name}`);
}

/** The same for a page of help. */
export function helpAsStarted(text: string): string {
	if (startedAs === NAME) return text;
	return asStarted(text).replace(HELP_COMMAND, (_, before) => `${before}${startedAs}`);
}
