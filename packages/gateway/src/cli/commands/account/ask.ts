import { randomUUID } from "node:crypto";
import { openUpstreamSide } from "../../../app/upstream/open-upstream.ts";
import { SettingError } from "../../../config/settings.ts";
import { GatewayError } from "../../../turn/error.ts";
import type { TurnEvent } from "../../../turn/event.ts";
import { emptyRequest } from "../../../turn/request.ts";
import { promptOf } from "../../ask-prompt.ts";
import { loadCommandSettings } from "../../home-settings.ts";
import type { AskFlags } from "../../options/account/ask.ts";
import { runCommand, unlessInterrupted } from "../../process/run-command.ts";
import { startSpinner } from "../../terminal/terminal.ts";

const MIB = 1024 * 1024;

/** Escape sequences in a model's text must not reach the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** What a model says, in bytes, because this program's own words are changed on their way out (started-as.ts). */
const words = (text: string) => Buffer.from(text.replace(CONTROLS, ""));

/** `cursorwire ask`: one prompt, with the reply streamed to the terminal. A reply that breaks off is an error. */
export function ask(words: string[], flags: AskFlags): Promise<void> {
	return runCommand(async (signal) => {
		const { model, system, thinking = false, json = false, ...settingFlags } = flags;
		if (model === "") throw new SettingError("--model: takes the name of a model; `cursorwire models` lists them");
		const { settings } = loadCommandSettings(settingFlags);
		const prompt = await promptOf(words, settings.maxBodyMiB * MIB, signal);
		const upstream = await openUpstreamSide(settings);
		try {
			const account = await upstream.ownAccount();
			const request = emptyRequest(model);
			request.messages = [{ role: "user", content: [{ type: "text", text: prompt }] }];
			if (system) request.system = [system];
			const prepared = account.prepareRun(request, { conversationId: randomUUID() }, {});
			const { run } = await unlessInterrupted(signal, Promise.resolve(prepared));
			const reply = new Reply({ thinking, json }, startSpinner(`Waiting for ${model}`));
			await new Promise<void>((resolve, reject) => {
				signal.addEventListener("abort", () => {
					run.cancel();
					reply.breakOff();
					reject(new GatewayError("cancelled"));
				});
				run.open({
					events(batch) {
						for (const event of batch) reply.show(event);
						if (reply.ended) resolve();
					},
					failed(error) {
						reply.breakOff();
						reject(error);
					},
				});
			});
			reply.finish(model);
		} finally {
			await upstream.close();
		}
	});
}

function once(callback: () => void): () => void {
	let isDone = false;
	return () => {
		if (!isDone) callback();
		isDone = true;
	};
}

class Reply {
	ended = false;
	readonly #flags: { thinking: boolean; json: boolean };
	readonly #endWait: () => void;
	#text = "";
	#thinking = "";
	#usage: unknown;

	/** `endWait` is called once, before the first word or when there will be none. */
	constructor(flags: { thinking: boolean; json: boolean }, endWait: () => void) {
		this.#flags = flags;
		this.#endWait = once(endWait);
	}

	show(event: TurnEvent): void {
		if (event.type === "text-delta" || (this.#flags.thinking && event.type === "thinking-delta")) this.#endWait();
		switch (event.type) {
			case "text-delta":
				this.#text += event.text;
				if (!this.#flags.json) process.stdout.write(words(event.text));
				return;
			case "thinking-delta":
				this.#thinking += event.text;
				if (this.#flags.thinking && !this.#flags.json) process.stderr.write(words(event.text));
				return;
			case "thinking-end":
				if (this.#flags.thinking && !this.#flags.json) process.stderr.write("\n");
				return;
			case "usage":
				this.#usage = event.usage;
				return;
			case "turn-end":
				this.ended = true;
				return;
			default:
				return;
		}
	}

	/** What was printed is incomplete; the error gets its own line. */
	breakOff(): void {
		this.#endWait();
		if (!this.#flags.json && this.#text !== "") process.stdout.write("\n");
	}

	finish(model: string): void {
		this.#endWait();
		if (!this.#flags.json) return void process.stdout.write("\n");
		const { thinking } = this.#flags;
		const answer = { model, text: this.#text, ...(thinking && { thinking: this.#thinking }), usage: this.#usage };
		process.stdout.write(Buffer.from(`${JSON.stringify(answer)}\n`));
	}
}
