// The clock of everything that ticks: four times a second while something runs, once a second otherwise.
import { effect, signal } from "@preact/signals";
import { live } from "./gateway/live.ts";

export const now = signal(Date.now());

const wantsLessMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

const QUICK_MS = 250;
const CALM_MS = 1000;

export function startClock(): void {
	let timer: ReturnType<typeof setInterval> | undefined;
	let every = 0;
	effect(() => {
		const wanted = (live.value?.lanes.length ?? 0) > 0 && !wantsLessMotion() ? QUICK_MS : CALM_MS;
		if (wanted === every) return;
		every = wanted;
		clearInterval(timer);
		timer = setInterval(() => {
			if (!document.hidden) now.value = Date.now();
		}, wanted);
	});
}
