/** More would only fill the header. */
const MAX_WARNINGS = 20;

/** The warnings for a client about what was accepted and has no effect. Only the first ones are kept. */
export class Warnings {
	readonly lines: string[] = [];

	add(line: string): void {
		if (this.lines.length < MAX_WARNINGS) this.lines.push(line);
	}
}
