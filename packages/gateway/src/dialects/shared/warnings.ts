/** More would fill a header without telling more. */
const MAX_WARNINGS = 20;

/** What a client is told about settings and parts that were accepted and have no effect: the first lines of it. */
export class Warnings {
	readonly lines: string[] = [];

	add(line: string): void {
		if (this.lines.length < MAX_WARNINGS) this.lines.push(line);
	}
}
