const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const REST_OF_LINE = "\u001b[K";
const REST_OF_SCREEN = "\u001b[J";
const CTRL_C = "\u0003";

/** A picture that takes the whole terminal and is drawn again in place. `leave` gives the terminal back as it was. */
export class FullScreen {
	readonly #onKey: (chunk: Buffer) => void;
	readonly #onResize: () => void;
	readonly #onExit = () => this.leave();
	#isOpen = true;

	/** `quit`: the user pressed q or Ctrl-C. `resized`: there is another amount of room. */
	constructor(quit: () => void, resized: () => void) {
		this.#onKey = (chunk) => {
			if ([..."qQ", CTRL_C].some((key) => chunk.includes(key))) quit();
		};
		this.#onResize = resized;
		process.stdout.write(ENTER);
		process.stdout.on("resize", this.#onResize);
		process.once("exit", this.#onExit);
		if (!process.stdin.isTTY) return;
		// In raw mode Ctrl-C is a key and no signal.
		process.stdin.setRawMode(true);
		process.stdin.on("data", this.#onKey);
	}

	draw(lines: readonly string[]): void {
		if (!this.#isOpen) return;
		process.stdout.write(HOME + lines.map((line) => `${line}${REST_OF_LINE}`).join("\r\n") + REST_OF_SCREEN);
	}

	leave(): void {
		if (!this.#isOpen) return;
		this.#isOpen = false;
		process.removeListener("exit", this.#onExit);
		process.stdout.removeListener("resize", this.#onResize);
		if (process.stdin.isTTY) {
			process.stdin.removeListener("data", this.#onKey);
			process.stdin.setRawMode(false);
			process.stdin.pause();
		}
		process.stdout.write(LEAVE);
	}
}
