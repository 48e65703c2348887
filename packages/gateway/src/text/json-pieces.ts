import { SLICE_LENGTH, type Sliced, stretches } from "../time/slices.ts";

/** The text of `JSON.stringify` in pieces that each take little time to make. No surrogate pair is cut. */
export function* jsonPieces(value: unknown, large = SLICE_LENGTH): Generator<string, void, undefined> {
	if (typeof value === "string") yield* textPieces(value, large);
	else if (typeof value !== "object" || value === null || weight(value, large) <= large) yield JSON.stringify(value);
	else if (Array.isArray(value)) yield* arrayPieces(value, large);
	else yield* objectPieces(value, large);
}

/** The same as bytes, yielding after every piece. */
export function* jsonBytes(value: unknown, large = SLICE_LENGTH): Sliced<Buffer[]> {
	const all: Buffer[] = [];
	for (const piece of jsonPieces(value, large)) {
		all.push(Buffer.from(piece));
		yield;
	}
	return all;
}

/** Roughly how many characters of JSON a value has. Stops counting once that is more than `enough`. */
export function weight(value: unknown, enough: number): number {
	if (typeof value === "string") return value.length + 2;
	if (typeof value !== "object" || value === null) return 8;
	let sum = 2;
	const isList = Array.isArray(value);
	for (const name of isList ? value.keys() : Object.keys(value)) {
		sum += (isList ? 1 : (name as string).length) + weight((value as Record<string, unknown>)[name], enough - sum);
		if (sum > enough) return sum;
	}
	return sum;
}

function* textPieces(text: string, large: number): Generator<string, void, undefined> {
	if (text.length <= large) return yield JSON.stringify(text);
	yield '"';
	for (const stretch of stretches(text, large)) yield JSON.stringify(stretch).slice(1, -1);
	yield '"';
}

function* arrayPieces(values: readonly unknown[], large: number): Generator<string, void, undefined> {
	let before = "[";
	for (const value of values) {
		yield before;
		yield* jsonPieces(value ?? null, large);
		before = ",";
	}
	yield "]";
}

function* objectPieces(object: object, large: number): Generator<string, void, undefined> {
	let before = "{";
	for (const [name, value] of Object.entries(object)) {
		if (value === undefined) continue;
		yield `${before}${JSON.stringify(name)}:`;
		yield* jsonPieces(value, large);
		before = ",";
	}
	yield before === "{" ? "{}" : "}";
}
