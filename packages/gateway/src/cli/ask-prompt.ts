import { SettingError } from "../config/settings.ts";
import { isInputGiven, readStandardInput } from "./terminal/standard-input.ts";

/** The word that stands for standard input. */
const INPUT = "-";

/** What to ask: the words of the command line, then the text of standard input. `most` limits that text, in bytes. */
export async function promptOf(words: readonly string[], most: number, signal: AbortSignal): Promise<string> {
	const question = words.filter((word) => word !== INPUT).join(" ");
	const wantsInput = words.includes(INPUT) || (words.length === 0 && !process.stdin.isTTY);
	const input = wantsInput || isInputGiven() ? await readStandardInput(most, signal) : "";
	const prompt = [question, input.replace(/\r?\n$/, "")].filter((part) => part.trim() !== "").join("\n\n");
	if (prompt === "") throw new SettingError(nothingToAsk(wantsInput));
	return prompt;
}

const nothingToAsk = (wasRead: boolean): string =>
	`${wasRead ? "standard input is empty" : "there is nothing to ask"}; write \`cursorwire ask "a question"\`, or send text through a pipe`;
