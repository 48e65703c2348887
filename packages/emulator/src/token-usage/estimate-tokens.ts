/** Words with a joining sign before them, up to three digits, other signs, and more than one space. */
const PIECES = /[-/._]?\p{L}+|\p{N}{1,3}|[^\s\p{L}\p{N}]+|\s{2,}|[\n\t]/gu;
const ASCII_WORD = /^[-/._]?[A-Za-z]+$/;
const OTHER_WORD = /\p{L}/u;

/**
 * Estimates the tokens of a text without a tokenizer's tables, which is enough for a model that is a script. A short
 * word is one token, and so are three digits or three signs in a row.
 */
export function estimateTokens(text: string): number {
	let tokens = 0;
	for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
	return tokens;
}

function tokensOf(piece: string): number {
	if (ASCII_WORD.test(piece)) return Math.max(1, Math.ceil((piece.length - 4) / 7));
	if (OTHER_WORD.test(piece)) return Math.ceil(piece.length / 1.6);
	return piece.trim() === "" ? 1 : Math.ceil(piece.length / 3);
}
