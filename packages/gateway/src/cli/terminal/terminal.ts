/** Whether input and output are both a terminal, so that somebody reads and can be asked. */
export function isInteractive(): boolean {
	return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Bold in a terminal that can show it, plain in a file or a pipe. */
export function strong(text: string): string {
	return process.stdout.isTTY && process.stdout.hasColors() ? `\u001b[1m${text}\u001b[22m` : text;
}

/** Shows a spinner on a terminal while the work runs. */
export async function withSpinner<T>(text: string, work: () => Promise<T>): Promise<T> {
	const stop = startSpinner(text);
	try {
		return await work();
	} finally {
		stop();
	}
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const CLEAR_LINE = "\r\u001b[K";

/**
 * Shows a spinner on a terminal and nothing elsewhere; the returned function removes it. It does not change the
 * terminal's mode, so that Ctrl-C remains a signal.
 */
export function startSpinner(text: string): () => void {
	if (!process.stderr.isTTY) return () => {};
	let turn = 0;
	const draw = () => process.stderr.write(`${CLEAR_LINE}${FRAMES[turn++ % FRAMES.length]} ${text}`);
	draw();
	const timer = setInterval(draw, 100);
	return () => {
		clearInterval(timer);
		process.stderr.write(CLEAR_LINE);
	};
}
