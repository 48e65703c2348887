import { TURN_MODES, type TurnMode } from "../../../turn/request.ts";
import { splitWindow } from "./window-suffix.ts";

/** A model name and the options that a client appended to it: `claude-4.6-opus:plan:max`. */
export interface WishingName {
	name: string;
	mode?: TurnMode;
	maxMode?: true;
	/** The size of the context window. */
	window?: string;
}

const MAX_MODE = "max";

/** Strips known options from the end of a name. A name that already belongs to a model is left alone. */
export function splitName(whole: string, isKnown: (name: string) => boolean): WishingName {
	const split: WishingName = { name: whole };
	for (;;) {
		const windowed = splitWindow(split.name, isKnown);
		if (windowed.window) {
			split.window ??= windowed.window;
			split.name = windowed.name;
			continue;
		}
		const [, name, word] = /^(.+):(\w+)$/.exec(split.name) ?? [];
		if (name === undefined || isKnown(split.name)) return split;
		const mode = TURN_MODES.find((known) => known === word);
		if (mode) split.mode ??= mode;
		else if (word === MAX_MODE) split.maxMode = true;
		else return split;
		split.name = name;
	}
}
