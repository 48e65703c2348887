import { isDeepStrictEqual } from "node:util";
import type { ShownPart, ShownPrompt } from "cursorwire-emulator";
import type { ClientCall, ClientRequest, ClientTool } from "./client-request.ts";
import { DOCUMENTED, DOCUMENTED_CONTEXT } from "./documented.ts";
import { type Slot, sinceBeforeAnswer, slotsOf } from "./slots.ts";
import { type WantedText, wantedTexts } from "./wanted-texts.ts";

/** What is wrong with a prompt as the rendering of a client's request: nothing, where the list is empty. */
export function checkPrompt(request: ClientRequest, prompt: ShownPrompt): string[] {
	return [
		...checkTexts(wantedTexts(request, renderingOf(prompt)), slotsOf(prompt)),
		...checkTools(request.tools, prompt.tools),
		...checkCalls(request, prompt),
		...checkImages(request, prompt),
		...Object.keys(prompt.context)
			.filter((field) => !DOCUMENTED_CONTEXT.includes(field))
			.map((field) => `invented: ${field}`),
	];
}

function renderingOf({ protocol, since }: ShownPrompt) {
	return { imagesAsText: protocol === "legacy", resultsSince: since.filter(({ role }) => role === "tool").length };
}

/** Every text once, whole, apart from its neighbours, in its place and in order; and nothing else. */
function checkTexts(wanted: readonly WantedText[], slots: readonly Slot[]): string[] {
	const faults: string[] = [];
	const foundAt = new Map<WantedText, number>();
	// A text that is part of another one must not be found there.
	for (const each of [...wanted].sort((one, other) => other.text.length - one.text.length)) {
		const { slot, fault } = find(each, slots);
		if (slot && each.order !== undefined) foundAt.set(each, slot.order);
		if (fault) faults.push(`${fault}: ${each.what} ${brief(each.text)}${slot ? ` in ${slot.place}` : ""}`);
	}
	for (const slot of slots) {
		for (const rest of slot.rest()) {
			const left = withoutDocumented(rest);
			if (left === "") continue;
			const again = wanted.find(({ text }) => rest.includes(text.trim()));
			faults.push(`${again ? `again: ${again.what}` : "invented:"} ${brief(again?.text ?? left)} in ${slot.place}`);
		}
	}
	return [...faults, ...checkOrder(wanted, foundAt)];
}

function find({ text, kinds }: WantedText, slots: readonly Slot[]): { slot?: Slot; fault?: string } {
	const inPlace = slots.filter(({ kind }) => kinds.includes(kind));
	const slot = inPlace.find((each) => each.take(text, true));
	if (slot) return { slot };
	const glued = inPlace.find((each) => each.take(text, false));
	if (glued) return { slot: glued, fault: "glued" };
	const elsewhere = slots.find((each) => each.take(text, false));
	return elsewhere ? { slot: elsewhere, fault: "misplaced" } : { fault: "missing" };
}

function checkOrder(wanted: readonly WantedText[], foundAt: ReadonlyMap<WantedText, number>): string[] {
	const found = wanted.filter((each) => foundAt.has(each));
	return found
		.filter((each, index) => index > 0 && foundAt.get(found[index - 1]!)! > foundAt.get(each)!)
		.map(({ what, text }) => `out of order: ${what} ${brief(text)}`);
}

function checkTools(wanted: readonly ClientTool[], given: ShownPrompt["tools"]): string[] {
	// Of two with one name the first counts.
	const distinct = [...new Map([...wanted].reverse().map((tool) => [wireName(tool.name), tool])).entries()];
	const faults = distinct.flatMap(([name, tool]) => {
		const same = given.filter((each) => wireName(each.name) === name);
		if (same.length === 0) return [`missing: tool ${name}`];
		if (same.length > 1) return [`again: tool ${name} in ${same.map(({ place }) => place).join(" and ")}`];
		const [shown] = same;
		if (!shown!.description.startsWith(tool.description)) return [`changed: description of tool ${name}`];
		const isSame = tool.schema === undefined || isDeepStrictEqual(shown!.inputSchema, tool.schema);
		return isSame ? [] : [`changed: schema of tool ${name}`];
	});
	const names = new Set(distinct.map(([name]) => name));
	const invented = given.filter(({ name }) => !names.has(wireName(name)));
	return [...faults, ...invented.map(({ name }) => `invented: tool ${name}`)];
}

/** A tool that is called as one of Cursor's own travels with a prefix. */
function wireName(name: string): string {
	return name
		.replaceAll(/[^\w-]/g, "_")
		.replace(/^client_/, "")
		.slice(0, 57);
}

function checkCalls({ messages }: ClientRequest, prompt: ShownPrompt): string[] {
	const wanted = messages.flatMap(({ calls }) => calls).map(callText);
	const given = partsOf(prompt).flatMap((part) =>
		part.type === "tool-call" ? [callText({ ...part, name: part.toolName })] : [],
	);
	return difference("call", wanted, given);
}

/** Free text is the one argument of a tool on the wire. */
function callText({ name, args }: ClientCall): string {
	const given = typeof args === "string" ? { input: args } : (args ?? {});
	return `${wireName(name)} ${JSON.stringify(Object.entries(given).sort())}`;
}

function checkImages({ messages }: ClientRequest, prompt: ShownPrompt): string[] {
	if (prompt.protocol === "legacy") return [];
	const wanted = messages.flatMap(({ images }) => images.map(({ sha256 }) => sha256));
	const given = partsOf(prompt).flatMap((part) => (part.type === "image" ? [part.sha256] : []));
	return difference("image", wanted, given);
}

function difference(what: string, wanted: readonly string[], given: readonly string[]): string[] {
	const left = [...given];
	const missing = wanted.filter((each) => {
		const index = left.indexOf(each);
		if (index >= 0) left.splice(index, 1);
		return index < 0;
	});
	return [
		...missing.map((each) => `missing: ${what} ${brief(each)}`),
		...left.map((each) => `${wanted.includes(each) ? "again" : "invented"}: ${what} ${brief(each)}`),
	];
}

function partsOf(prompt: ShownPrompt): ShownPart[] {
	const entries = [...prompt.history, ...(prompt.newest ? [prompt.newest] : []), ...sinceBeforeAnswer(prompt)];
	return entries.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool-result" ? part.parts : [part])));
}

function withoutDocumented(text: string): string {
	return DOCUMENTED.reduce((rest, { words }) => rest.replaceAll(words, ""), text).trim();
}

const BRIEF = 60;

function brief(text: string): string {
	return JSON.stringify(text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text);
}
