import { coloured, type Paint, plain } from "../../text/paint.ts";

/** Where a command writes: `process.stdout`, or a buffer in a test. */
export interface Output {
	write(text: string): unknown;
	isTTY?: boolean;
	columns?: number;
	/** Of a terminal; it also obeys NO_COLOR. */
	hasColors?(): boolean;
}

export type { Paint };

export function painter(output: Output): Paint {
	return output.isTTY === true && (output.hasColors?.() ?? true) ? coloured : plain;
}
