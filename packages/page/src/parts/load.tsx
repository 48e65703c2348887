import { effect, type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type AskError, ask } from "../gateway/ask.ts";
import { sessionState } from "../gateway/session.ts";

export interface Loaded<T> {
	data?: T;
	error?: AskError;
	/** When it was asked for last. */
	at: number;
	reload: () => void;
}

const REFRESH_MS = 30_000;

/** The last answers of whole views: one that was seen before is there at once. They end with the session. */
const kept = new Map<string, unknown>();
effect(() => {
	if (sessionState.value !== "open") kept.clear();
});
const isWholeView = (path: string): boolean => /^\w+$/.test(path);

/** What the gateway answers to this path, asked again twice a minute while somebody looks. */
export function useAnswer<T>(path: string): Loaded<T> {
	const data = useSignal(kept.get(path) as T | undefined);
	const error = useSignal<AskError | undefined>(undefined);
	const at = useSignal(Date.now());
	const wish = useSignal(0);
	useEffect(() => {
		const stop = new AbortController();
		const refresh = () => {
			at.value = Date.now();
			void load(path, stop.signal, data, error);
		};
		refresh();
		const timer = setInterval(() => {
			if (!document.hidden) refresh();
		}, REFRESH_MS);
		return () => {
			clearInterval(timer);
			stop.abort();
		};
	}, [path, wish.value]);
	return {
		data: data.value,
		error: error.value,
		at: at.value,
		reload: () => {
			wish.value++;
		},
	};
}

async function load<T>(
	path: string,
	signal: AbortSignal,
	data: Signal<T | undefined>,
	error: Signal<AskError | undefined>,
): Promise<void> {
	try {
		data.value = await ask<T>(path, { signal });
		if (isWholeView(path)) kept.set(path, data.value);
		error.value = undefined;
	} catch (reason) {
		if (!signal.aborted) error.value = reason as AskError;
	}
}

/** Shows the answer, or why there is none. What was there stays while it is asked for again. */
export function Answer<T>({ loaded, children }: { loaded: Loaded<T>; children: (data: T) => ComponentChildren }) {
	const { data, error, reload } = loaded;
	return (
		<>
			{error !== undefined && <Failure error={error} retry={reload} />}
			{data !== undefined && children(data)}
			{data === undefined && error === undefined && <p class="empty">Loading…</p>}
		</>
	);
}

export function Failure({ error, retry }: { error: AskError; retry: () => void }) {
	return (
		<div class="problem error" role="alert">
			<p>
				{error.message} {error.nextStep}
			</p>
			<button type="button" onClick={retry}>
				Try again
			</button>
		</div>
	);
}
