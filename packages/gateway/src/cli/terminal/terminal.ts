/** Whether there is a person at both ends: one who reads, and one who can be asked. */
export function isInteractive(): boolean {
	return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Emphasised where the terminal can show it, plain in a file or a pipe. */
export function strong(text: string): string {
	return process.stdout.isTTY && process.stdout.hasColors() ? `\u001b[1m${text}\u001b[22m` : text;
}

/** Shows that something is waited for, on a terminal, until it is there. */
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
 * A moving sign of life on a terminal, nothing elsewhere; the returned function takes it away. It leaves the terminal's
 * mode alone, so that Ctrl-C stays a signal.
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
