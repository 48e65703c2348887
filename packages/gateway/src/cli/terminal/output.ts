/** Where a command writes: `process.stdout`, or a buffer in a test. */
export interface Output {
	write(text: string): unknown;
	isTTY?: boolean;
	columns?: number;
	/** Of a terminal; it also obeys NO_COLOR. */
	hasColors?(): boolean;
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

/** Colours a text for a terminal, and leaves it unchanged everywhere else. */
export type Paint = (style: keyof typeof CODES, text: string) => string;

export function painter(output: Output): Paint {
	const isColoured = output.isTTY === true && (output.hasColors?.() ?? true);
	return (style, text) => (isColoured ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text);
}
