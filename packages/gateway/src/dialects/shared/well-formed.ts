import type { TextPart } from "../../turn/request.ts";

/** Part of ES2024 and of every Node that this runs on; the compiler's library is a year older. */
type ModernString = string & { toWellFormed(): string };

/** The text with U+FFFD for each lone surrogate, as UTF-8 would have it anyway, so that both sides see the same. */
export function wellFormed(text: string): string {
	return (text as ModernString).toWellFormed();
}

/** A text as the model will see it. */
export function toText(text: string): TextPart {
	return { type: "text", text: wellFormed(text) };
}
