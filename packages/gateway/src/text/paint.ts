const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Colours a text for a terminal, and leaves it unchanged everywhere else. */
export type Paint = (style: keyof typeof CODES, text: string) => string;

export const coloured: Paint = (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;
export const plain: Paint = (_style, text) => text;
