const LONG_CONTEXT = /^context-(\d+m)-[\d-]+$/;

/**
 * The context window that the names in `anthropic-beta` ask for. Claude Code takes `[1m]` off a model's name before it
 * sends it, and says so here: `context-1m-2025-08-07`.
 */
export function windowOfBetas(betas = ""): string | undefined {
	for (const beta of betas.split(",")) {
		const [, window] = LONG_CONTEXT.exec(beta.trim()) ?? [];
		if (window) return window;
	}
	return undefined;
}
