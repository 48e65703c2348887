import type { Emulator, ShownPrompt } from "cursorwire-emulator";
import { expect } from "vitest";
import { checkPrompt } from "./check-prompt.ts";
import type { ClientRequest, Exchange } from "./client-request.ts";
import { readExchanges } from "./read/read-exchange.ts";

/**
 * Every prompt that the model has read says what one request of the client says, that and nothing else. Which request
 * it was is not asked: a prompt that says all of a request says it of no other. Where none fits, the nearest is shown.
 */
export function expectPromptsAsSent(emulator: Emulator, exchanges: readonly Exchange[]): ShownPrompt[] {
	const requests = readExchanges(exchanges);
	const prompts = emulator.prompts();
	expect(requests).not.toEqual([]);
	expect(prompts).not.toEqual([]);
	const faults = prompts.flatMap((prompt) => {
		const found = nearest(requests, prompt);
		return found.map((fault) => `prompt ${prompt.number}: ${fault}`);
	});
	expect(faults).toEqual([]);
	return prompts;
}

function nearest(requests: readonly ClientRequest[], prompt: ShownPrompt): string[] {
	const checked = requests.map((request) => checkPrompt(request, prompt));
	return checked.reduce((best, faults) => (faults.length < best.length ? faults : best));
}

/** The text of the newest user message, part by part. */
export function newestTexts({ newest }: ShownPrompt): string[] {
	return (newest?.parts ?? []).flatMap((part) => (part.type === "text" ? [part.text] : []));
}
