import { SettingError } from "../../config/settings.ts";
import { Secret } from "../../credentials/secret.ts";
import { GatewayError } from "../../turn/error.ts";
import { readStandardInput } from "./standard-input.ts";
import { isInteractive } from "./terminal.ts";

/** Only for a terminal, so it is loaded when it is needed. */
const prompts = () => import("@clack/prompts");

const MAX_INPUT_BYTES = 64 * 1024;

/** A secret from the terminal, without echo, or from a pipe: neither shows up in a list of processes. */
export async function askSecret(name: string, signal: AbortSignal): Promise<Secret> {
	const text = isInteractive() ? await prompt(name, signal) : await readStandardInput(MAX_INPUT_BYTES, signal);
	if (text.trim() === "") {
		throw new GatewayError("invalid-request", `No ${name} was given.`, {
			nextStep: "Type it at the prompt, or send it through standard input.",
		});
	}
	return new Secret(text.trim());
}

/** Lets the user choose one of several options, and returns its value. Only for a terminal. */
export async function askChoice(
	question: string,
	options: { value: number; label: string; hint?: string }[],
	signal: AbortSignal,
): Promise<number> {
	const { isCancel, select } = await prompts();
	const answer = await select({ message: question, options, signal });
	if (isCancel(answer)) throw new GatewayError("cancelled");
	return answer;
}

async function prompt(name: string, signal: AbortSignal): Promise<string> {
	const { isCancel, password } = await prompts();
	const answer = await password({ message: `Paste your ${name}`, signal });
	if (isCancel(answer)) throw new GatewayError("cancelled");
	return answer ?? "";
}

/** Offers something: pressing Enter declines it. Only for a terminal. */
export async function askOffer(question: string, signal: AbortSignal): Promise<boolean> {
	const { confirm, isCancel } = await prompts();
	const answer = await confirm({ message: question, initialValue: false, signal });
	return !isCancel(answer) && answer;
}

/** Asks for a yes; anything else cancels. */
export async function askConsent(question: string, signal: AbortSignal): Promise<void> {
	if (!isInteractive())
		throw new SettingError("there is no terminal to ask at; if you agree with what is printed above, add --yes");
	const { confirm, isCancel } = await prompts();
	const answer = await confirm({ message: question, signal });
	if (isCancel(answer) || !answer) throw new GatewayError("cancelled");
}
