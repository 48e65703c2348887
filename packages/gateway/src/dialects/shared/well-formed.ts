/** Part of ES2024 and of every Node that this runs on; the compiler's library is a year older. */
type ModernString = string & { toWellFormed(): string };

/** The text with U+FFFD for each lone surrogate: what UTF-8 makes of it anyway, so that both sides see the same. */
export function wellFormed(text: string): string {
	return (text as ModernString).toWellFormed();
}
