// The rows of the ledger that match a filter, fetched page by page from the newest on.
import { batch, signal } from "@preact/signals";
import type { TurnRow, TurnsAnswer } from "../../../../gateway/src/page/contract.ts";
import { type AskError, ask } from "../../gateway/ask.ts";

export interface Filter {
	client: string;
	model: string;
	path: string;
	/** "1": only turns that failed. */
	error: string;
	/** Only turns that took at least so many milliseconds. */
	slow: string;
	/** All turns of one conversation, whatever else they are. */
	conversation: string;
}

export const NO_FILTER: Filter = { client: "", model: "", path: "", error: "", slow: "", conversation: "" };

const PAGE = 500;

export const filter = signal<Filter>(NO_FILTER);
/** How many rows are here. */
export const count = signal(0);
export const total = signal<number | undefined>(undefined);
export const choices = signal<{ clients: string[]; models: string[] }>({ clients: [], models: [] });
export const failure = signal<AskError | undefined>(undefined);

/** Grows in place: a copy of a hundred thousand rows for each page would be slow. */
let loaded: TurnRow[] = [];
/** How many rows are wanted; those that are further down wait until somebody scrolls there. */
let wanted = 0;
let isLoading = false;
/** Answers to an earlier question are dropped. */
let generation = 0;

/** The address of a list that shows only these turns. */
export const listOf = (wish: Partial<Filter>): string => `#/turns?${new URLSearchParams(wish)}`;

/** What such an address wants. */
export function filterIn(query: string): Filter {
	const wish = { ...NO_FILTER };
	for (const [name, value] of new URLSearchParams(query)) if (name in wish) wish[name as keyof Filter] = value;
	return wish;
}

/** Starts over, with the newest. */
export function reload(next: Filter = filter.peek()): void {
	generation++;
	isLoading = false;
	wanted = 1;
	batch(() => {
		filter.value = next;
		loaded = [];
		count.value = 0;
		total.value = undefined;
		failure.value = undefined;
	});
	void load();
}

/** Sees to it that the row at this index will be there. */
export function want(index: number): void {
	wanted = index + 1;
	void load();
}

/** Undefined until it has come. */
export const rowAt = (index: number): TurnRow | undefined => loaded[index];

export const indexOf = (id: number): number => loaded.findIndex((row) => row.id === id);

const isComplete = (): boolean => total.peek() !== undefined && loaded.length >= total.peek()!;

async function load(): Promise<void> {
	if (isLoading) return;
	isLoading = true;
	const mine = generation;
	try {
		while (mine === generation && loaded.length < wanted && !isComplete()) {
			const answer = await ask<TurnsAnswer>(`turns?${queryOf(filter.peek(), loaded.at(-1)?.id)}`);
			if (mine === generation) take(answer);
		}
	} catch (error) {
		if (mine === generation) failure.value = error as AskError;
	} finally {
		if (mine === generation) isLoading = false;
	}
}

function take(answer: TurnsAnswer): void {
	loaded.push(...answer.rows);
	batch(() => {
		count.value = loaded.length;
		// Rows may have gone in the meantime.
		total.value = answer.rows.length === 0 ? loaded.length : answer.total;
		choices.value = answer;
	});
}

function queryOf(wish: Filter, before: number | undefined): string {
	const given = Object.entries(wish).filter(([, value]) => value !== "");
	const query = new URLSearchParams(given);
	query.set("limit", String(PAGE));
	if (before !== undefined) query.set("before", String(before));
	return String(query);
}
