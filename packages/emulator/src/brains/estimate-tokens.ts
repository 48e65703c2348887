/** Four characters a token: near enough for a backend whose model is a script. */
export function estimateTokens(text: string): number {
	return Math.ceil(text.length / 4);
}
