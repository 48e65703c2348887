import { createHash } from "node:crypto";
import { canonicalJson } from "../text/canonical-json.ts";
import { atOnce, type Sliced } from "../time/slices.ts";
import { refuseLinks } from "./linked-images.ts";
import { placeReminders } from "./reminders.ts";
import type {
	AssistantMessage,
	ImagePart,
	TextPart,
	ToolCallPart,
	ToolResultPart,
	TurnMessage,
	UserMessage,
} from "./request.ts";

export interface RepairedHistory {
	messages: readonly TurnMessage[];
	/** One line for each kind of repair that a user may want to know about. */
	warnings: string[];
}

/**
 * Brings a client's history into the form that the upstream side relies on: every call has exactly one result, in the
 * tool message that follows it and in the order of the calls; ids are unique; nothing is empty except a last message of
 * the user; several messages of the assistant in a row are joined; reminders are part of the message they belong to. A
 * history that already has this form is not changed.
 */
export function repairHistory(messages: readonly TurnMessage[]): RepairedHistory {
	return atOnce(repairedHistory(messages));
}

/** Like `repairHistory`, in slices. */
export function* repairedHistory(messages: readonly TurnMessage[]): Sliced<RepairedHistory> {
	if (isInForm(messages)) return { messages, warnings: [] };
	const repair = new Repair(messages);
	for (const message of messages) {
		repair.add(message);
		yield;
	}
	const repaired = repair.finish();
	if (asksForMore(messages.at(-1)) && repaired.messages.at(-1)?.role === "assistant") {
		repaired.messages.push({ role: "user", content: [] });
	}
	inForm.add(repaired.messages);
	return repaired;
}

/** Histories that came out of a repair. Nobody changes them, so that they need no second one. */
const inForm = new WeakSet<readonly TurnMessage[]>();

/** Whether a history is known to need no repair. */
export function isInForm(messages: readonly TurnMessage[]): boolean {
	return isOneMessage(messages) || inForm.has(messages);
}

/** Most conversations begin with one message of the user, which needs no repair. */
function isOneMessage(messages: readonly TurnMessage[]): boolean {
	const [only] = messages;
	if (messages.length !== 1 || only?.role !== "user" || only.isReminder) return false;
	return only.content.length > 0 && !only.content.some(isEmpty);
}

/** An empty message of the user asks the model to go on. Without it the history would end with a reply. */
function asksForMore(last: TurnMessage | undefined): boolean {
	return last?.role === "user" && withoutEmpty(last.content).length === 0;
}

/** Whether this result was put in by `repairHistory` because the client sent none. */
export function isMissingResult({ isError, content }: ToolResultPart): boolean {
	const [first] = content;
	return isError && first?.type === "text" && first.text === NO_RESULT;
}

const NO_RESULT = "No result was given for this call.";

/** A call, and the result that was found for it. */
interface OpenCall {
	part: ToolCallPart;
	result?: ToolResultPart;
}

/** What the assistant said in one turn. The results of its calls may come much later in the history. */
interface AssistantTurn {
	content: AssistantMessage["content"];
	calls: OpenCall[];
	hasResults: boolean;
}

/** The calls of one turn with the same id, in order. `next` is the index of the first without a result. */
interface SameId {
	turn: AssistantTurn;
	calls: OpenCall[];
	next: number;
}

class Repair {
	readonly #history: (TurnMessage | AssistantTurn)[] = [];
	readonly #knownIds: Set<string>;
	readonly #usedIds = new Set<string>();
	readonly #lastNumber = new Map<string, number>();
	/** Calls by the id that the client used, with the newest turn last. */
	readonly #waiting = new Map<string, SameId[]>();
	#renamed = 0;
	#orphans = 0;
	#missing = 0;

	constructor(messages: readonly TurnMessage[]) {
		const calls = messages.flatMap(({ content }) => content.filter((part) => part.type === "tool-call"));
		this.#knownIds = new Set(calls.map(({ id }) => id));
	}

	add(message: TurnMessage): void {
		if (message.role === "user") this.#addUser({ ...message, content: withoutEmpty(message.content) });
		else if (message.role === "assistant") this.#addAssistant(message);
		else for (const result of message.content) this.#addResult(result);
	}

	finish(): RepairedHistory & { messages: TurnMessage[] } {
		const messages = placeReminders(this.#history.flatMap((entry) => ("role" in entry ? [entry] : this.#close(entry))));
		const warnings = [
			...warning(this.#orphans, "results without a matching call are ignored"),
			...warning(this.#missing, "calls without a result get an error as their result"),
			...warning(this.#renamed, "call ids that were used before are replaced"),
		];
		return { messages, warnings };
	}

	#addUser(message: UserMessage): void {
		if (message.content.length > 0) this.#history.push(message);
	}

	#addAssistant(message: AssistantMessage): void {
		const content = message.content.filter((part) => part.type === "tool-call" || !isEmpty(part));
		// A message with nothing but thinking is dropped: clients do not send it back reliably.
		if (content.every((part) => part.type === "thinking")) return;
		const turn = this.#turnToContinue() ?? this.#newTurn();
		for (const part of content) turn.content.push(part.type === "tool-call" ? this.#addCall(turn, part) : part);
	}

	#turnToContinue(): AssistantTurn | undefined {
		const last = this.#history.at(-1);
		return last && !("role" in last) && !last.hasResults ? last : undefined;
	}

	#newTurn(): AssistantTurn {
		const turn: AssistantTurn = { content: [], calls: [], hasResults: false };
		this.#history.push(turn);
		return turn;
	}

	#addCall(turn: AssistantTurn, part: ToolCallPart): ToolCallPart {
		const call: OpenCall = { part: { ...part, id: this.#uniqueId(part.id) } };
		turn.calls.push(call);
		const turns = this.#waitingFor(part.id);
		const newest = turns.at(-1);
		if (newest?.turn === turn) newest.calls.push(call);
		else turns.push({ turn, calls: [call], next: 0 });
		return call.part;
	}

	#waitingFor(id: string): SameId[] {
		const turns = this.#waiting.get(id) ?? [];
		this.#waiting.set(id, turns);
		return turns;
	}

	#addResult(result: ToolResultPart): void {
		// None of the protocols with tools can pass on links.
		refuseLinks(result.content);
		const turns = this.#waitingFor(result.callId);
		const newest = turns.at(-1);
		const call = newest?.calls[newest.next++];
		if (!newest || !call) {
			this.#orphans++;
			return;
		}
		if (newest.next === newest.calls.length) turns.pop();
		newest.turn.hasResults = true;
		call.result = { ...result, callId: call.part.id, content: withoutEmpty(result.content) };
	}

	#close(turn: AssistantTurn): TurnMessage[] {
		const assistant: AssistantMessage = { role: "assistant", content: turn.content };
		if (turn.calls.length === 0) return [assistant];
		return [assistant, { role: "tool", content: turn.calls.map((call) => call.result ?? this.#noResult(call)) }];
	}

	#noResult({ part }: OpenCall): ToolResultPart {
		this.#missing++;
		return { type: "tool-result", callId: part.id, content: [{ type: "text", text: NO_RESULT }], isError: true };
	}

	#uniqueId(id: string): string {
		let unique = id;
		if (this.#usedIds.has(id)) {
			this.#renamed++;
			let number = this.#lastNumber.get(id) ?? 1;
			do unique = `${id}-${++number}`;
			while (this.#knownIds.has(unique) || this.#usedIds.has(unique));
			this.#lastNumber.set(id, number);
		}
		this.#usedIds.add(unique);
		return unique;
	}
}

/**
 * The transcript by which two requests are recognised as the same conversation, with one entry per message of a
 * repaired history. It leaves out ids, thinking, error marks and how text is split into parts, because clients change
 * them between requests. It contains text, calls and results, because they decide what the model knows.
 */
export function normalizeForComparison(messages: readonly TurnMessage[]): string[] {
	return messages.map((message) => JSON.stringify(comparable(message)));
}

/** One entry of that transcript. */
export function comparable(message: TurnMessage): unknown[] {
	return ([message.role] as unknown[]).concat(comparableContent(message));
}

function comparableContent(message: TurnMessage): unknown[] {
	switch (message.role) {
		case "user":
			return comparableParts(message.content);
		case "assistant": {
			const text = comparableParts(message.content.filter((part) => part.type === "text"));
			const calls = message.content.filter((part) => part.type === "tool-call");
			return text.concat(calls.map((call) => ({ call: call.name, arguments: canonicalJson(call.arguments) })));
		}
		case "tool":
			return message.content.map((result) => comparableParts(result.content));
	}
}

function comparableParts(parts: readonly (TextPart | ImagePart)[]): unknown[] {
	const entries: unknown[] = [];
	let text = "";
	for (const part of parts) {
		if (part.type === "text") {
			text += part.text;
			continue;
		}
		if (text !== "") entries.push(text);
		text = "";
		entries.push({ image: createHash("sha256").update(part.data).digest("base64") });
	}
	if (text !== "") entries.push(text);
	return entries;
}

function withoutEmpty<T extends TextPart | ImagePart>(parts: readonly T[]): T[] {
	return parts.filter((part) => !isEmpty(part));
}

function isEmpty(part: { type: string; text?: string; signature?: string }): boolean {
	return part.type !== "image" && part.text === "" && !part.signature;
}

function warning(count: number, repair: string): string[] {
	return count === 0 ? [] : [`messages: ${repair} (${count})`];
}
