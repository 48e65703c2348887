import type { AgentClientMessage, ExecClientMessage } from "@cursorwire/protocol/agent";
import { PendingAnswers } from "./pending-answers.ts";

/** How an exec request ended: with result messages, or with an error that the client threw. */
export interface ExecAnswer {
	messages: ExecClientMessage["message"][];
	thrown?: { error: string; errorCode: string };
}

export type ExecControl = Extract<
	AgentClientMessage["message"],
	{ case: "execClientControlMessage" }
>["value"]["message"];

interface OpenExec {
	answer: ExecAnswer;
	/** The answer is a series of messages (shell_stream) rather than a single one. */
	isStreamed: boolean;
}

/**
 * Exec requests that the client is working on, and what it has answered so far. An answer is one message; that of
 * shell_stream is a series, closed by its last event or by a control message (docs/protocol.md, Exec requests).
 */
export class ExecAnswers {
	readonly #open = new Map<number, OpenExec>();
	readonly #pending = new PendingAnswers<ExecAnswer>();

	ask(id: number, isStreamed: boolean, send: () => void): Promise<ExecAnswer> {
		return this.#pending.ask(id, () => {
			this.#open.set(id, { answer: { messages: [] }, isStreamed });
			send();
		});
	}

	openIds(): number[] {
		return [...this.#open.keys()];
	}

	/** Returns false if no exec request with this id is open. */
	add({ id, message }: ExecClientMessage): boolean {
		const exec = this.#open.get(id);
		if (!exec) return false;
		exec.answer.messages.push(message);
		if (!exec.isStreamed || endsShellStream(message)) this.#finish(id, exec);
		return true;
	}

	/** A control message other than a heartbeat ends its exec. */
	end(control: ExecControl): void {
		const exec = control.value && this.#open.get(control.value.id);
		// The stream_close that follows a single result finds its exec closed already; that is not an error.
		if (!exec) return;
		if (control.case === "throw") {
			exec.answer.thrown = { error: control.value.error, errorCode: control.value.errorCode ?? "" };
		}
		this.#finish(control.value.id, exec);
	}

	break(error: Error): void {
		this.#open.clear();
		this.#pending.break(error);
	}

	#finish(id: number, { answer }: OpenExec): void {
		this.#open.delete(id);
		this.#pending.answer(id, answer);
	}
}

const SHELL_STREAM_ENDS = new Set(["exit", "rejected", "permissionDenied", "backgrounded", "sandboxUnsupported"]);

function endsShellStream(message: ExecClientMessage["message"]): boolean {
	return message.case !== "shellStream" || SHELL_STREAM_ENDS.has(message.value.event.case ?? "");
}
