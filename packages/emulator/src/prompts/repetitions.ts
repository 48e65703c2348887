import type { Repeated, ShownPart, ShownPrompt } from "./prompt.ts";

/** Shorter texts may repeat by chance. */
const SHORTEST = 16;
const NAME_LENGTH = 80;

type Contents = Pick<ShownPrompt, "system" | "tools" | "history" | "newest" | "since">;

interface Placed {
	place: string;
	text: string;
}

/** Texts, images and tools that are in a prompt more than once, including system texts inside of other texts. */
export function findRepetitions(prompt: Contents): Repeated[] {
	const system = prompt.system.map(({ channel, text }) => ({ place: `system ${channel}`, text: text.trim() }));
	const { texts, images } = contentsOf(prompt);
	const everywhere = [...system, ...texts].filter(({ text }) => text.length >= SHORTEST);
	const placesOf = grouped(everywhere);
	for (const text of new Set(system.map((each) => each.text))) {
		if (text.length < SHORTEST) continue;
		const inside = everywhere.filter((other) => other.text !== text && other.text.includes(text));
		placesOf.get(text)!.push(...inside.map(({ place }) => place));
	}
	return [
		...repeated("text", placesOf),
		...repeated("image", grouped(images)),
		...repeated("tool", grouped(prompt.tools.map(({ name, place }) => ({ text: name, place })))),
	];
}

function repeated(what: Repeated["what"], placesOf: Map<string, string[]>): Repeated[] {
	return [...placesOf]
		.filter(([, places]) => places.length > 1)
		.map(([name, places]) => ({ what, name: name.slice(0, NAME_LENGTH), places }));
}

function grouped(items: readonly Placed[]): Map<string, string[]> {
	const groups = new Map<string, string[]>();
	for (const { text, place } of items) {
		const places = groups.get(text);
		if (places) places.push(place);
		else groups.set(text, [place]);
	}
	return groups;
}

function contentsOf({ history, newest, since }: Contents): { texts: Placed[]; images: Placed[] } {
	const texts: Placed[] = [];
	const images: Placed[] = [];
	const add = (part: ShownPart, place: string): void => {
		if (part.type === "text") texts.push({ place, text: part.text.trim() });
		if (part.type === "image") images.push({ place, text: part.sha256 });
		if (part.type === "tool-result") for (const inner of part.parts) add(inner, place);
	};
	history.forEach(({ parts }, index) => {
		for (const part of parts) add(part, `history ${index + 1}`);
	});
	for (const part of newest?.parts ?? []) add(part, "newest");
	since.forEach(({ parts }, index) => {
		for (const part of parts) add(part, `since ${index + 1}`);
	});
	return { texts, images };
}
