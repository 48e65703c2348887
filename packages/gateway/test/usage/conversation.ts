// A client's side of a conversation: it sends the whole history each time, and keeps what every response reported.
import type { Bill } from "cursorwire-emulator";
import { expect } from "vitest";
import type { TurnMessage } from "../../src/turn/request.ts";
import type { TestGateway } from "../kit/gateway.ts";
import type { Question, Reported, UsageClient } from "./clients.ts";

export class Conversation {
	readonly reports: Reported[] = [];
	readonly #gateway: TestGateway;
	readonly #client: UsageClient;
	readonly #stream: boolean;
	readonly #frame: Omit<Question, "messages">;
	readonly messages: TurnMessage[] = [];

	constructor(gateway: TestGateway, client: UsageClient, stream: boolean, frame: Omit<Question, "messages"> = {}) {
		this.#gateway = gateway;
		this.#client = client;
		this.#stream = stream;
		this.#frame = frame;
	}

	/** The next request, as it would be sent. */
	get question(): Question {
		return { ...this.#frame, messages: this.messages };
	}

	say(text: string): Promise<Reported> {
		this.messages.push({ role: "user", content: [{ type: "text", text }] });
		return this.#ask();
	}

	/** The same result for every call of the last response. */
	answer(text: string): Promise<Reported> {
		const calls = this.reports.at(-1)!.calls;
		this.messages.push({
			role: "tool",
			content: calls.map(({ id }) => ({
				type: "tool-result",
				callId: id,
				content: [{ type: "text", text }],
				isError: false,
			})),
		});
		return this.#ask();
	}

	async #ask(): Promise<Reported> {
		const report = await this.#client.ask(this.#gateway, this.question, this.#stream);
		this.reports.push(report);
		this.messages.push({
			role: "assistant",
			content: [
				...(report.text ? [{ type: "text" as const, text: report.text }] : []),
				...report.calls.map((call) => ({ type: "tool-call" as const, ...call })),
			],
		});
		return report;
	}
}

/** Each response reports what the emulator counted for it, and all of them together what the runs cost. */
export function expectBilled(reports: readonly Reported[], bills: readonly Bill[]): void {
	const steps = bills.flatMap((bill) => bill.steps);
	expect(reports.length).toBe(steps.length);
	for (const [index, { inputTokens, outputTokens }] of steps.entries()) {
		const { input, output, total } = reports[index]!;
		expectNear(input, inputTokens, `input of response ${index}`);
		expectNear(output, outputTokens, `output of response ${index}`);
		expect(total).toBe(input + output);
	}
	const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
	expectNear(sum(reports.map(({ input }) => input)), sum(bills.map(({ total }) => total.inputTokens)), "all input");
	expectNear(sum(reports.map(({ output }) => output)), sum(bills.map(({ total }) => total.outputTokens)), "all output");
}

/** Within ten percent. */
export function expectNear(reported: number, counted: number, what: string): void {
	expect(Math.abs(reported - counted), `${what}: reported ${reported}, counted ${counted}`).toBeLessThanOrEqual(
		counted / 10,
	);
}
