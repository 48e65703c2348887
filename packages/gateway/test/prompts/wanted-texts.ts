import type { ClientMessage, ClientRequest } from "./client-request.ts";
import type { SlotKind } from "./slots.ts";

/** A text of the client, and where the model may read it. */
export interface WantedText {
	text: string;
	what: string;
	kinds: readonly SlotKind[];
	/** Its place in the conversation; undefined for the system prompt, which has none. */
	order: number | undefined;
}

/** What decides where the texts of a request stand in a prompt. */
export interface Rendering {
	/** Legacy chats have images as links in the text. */
	imagesAsText: boolean;
	/** How many results of tools the run itself was given. */
	resultsSince: number;
}

/** Every text of a request. */
export function wantedTexts(
	{ system, messages }: ClientRequest,
	{ imagesAsText, resultsSince }: Rendering,
): WantedText[] {
	const wanted: WantedText[] = system.map((text) => ({ text, ...SYSTEM, order: undefined }));
	const question = messages.findLastIndex((each, index) => each.role === "user" && !isBesideResults(messages, index));
	const results = messages.slice(question).filter(({ role }) => role === "tool");
	const newest: SlotKind = results.length > resultsSince ? "user" : "newest";
	for (const [index, message] of messages.entries()) {
		const isLeading = isSystemPrompt(messages, index);
		const place = isLeading ? SYSTEM : placeOf(messages, index, question, newest);
		const links = imagesAsText ? message.images.map(({ dataUrl }) => `![image](${dataUrl})`) : [];
		const order = isLeading ? undefined : index;
		wanted.push(...[...message.texts, ...links].map((text) => ({ text, ...place, order })));
	}
	return wanted;
}

type Place = Pick<WantedText, "what" | "kinds">;
const SYSTEM: Place = { what: "system text", kinds: ["system"] };

/** What stands before anybody else has spoken. Where there are only system messages, the last one asks. */
function isSystemPrompt(messages: readonly ClientMessage[], index: number): boolean {
	const spoken = messages.findIndex(({ role }) => role !== "system");
	return index < (spoken < 0 ? messages.length - 1 : spoken);
}

/** `newest` is where the question stands: a run that goes on from a history with results has it in there. */
function placeOf(messages: readonly ClientMessage[], index: number, question: number, newest: SlotKind): Place {
	const { role } = messages[index]!;
	if (role === "assistant") return { what: "answer", kinds: ["assistant"] };
	if (role === "tool") return { what: "result", kinds: ["tool"] };
	const what = role === "system" ? "reminder" : index === question ? "question" : "user text";
	// A run that waits takes nothing but results, so what comes with them travels in them.
	if (isBesideResults(messages, index)) return { what, kinds: ["tool", "user", "newest"] };
	return { what, kinds: [index < question ? "user" : newest] };
}

/** Said in one go with results of tools, as reminders are. */
function isBesideResults(messages: readonly ClientMessage[], index: number): boolean {
	const before = messages.slice(0, index);
	const answered = before.findLastIndex(({ role }) => role === "assistant");
	return before.slice(answered + 1).some(({ role }) => role === "tool");
}
