// Light or dark: as the system says, until somebody chooses.
import { effect, signal } from "@preact/signals";

const KEPT_AS = "cursorwire-theme";
const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const theme = signal<Theme>(THEMES.find((one) => one === localStorage.getItem(KEPT_AS)) ?? "system");
/** Counts up when the colours change, for what is drawn with them. */
export const colours = signal(0);

export const nextTheme = (): void => {
	theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!;
};

export function followTheme(): void {
	effect(() => {
		document.documentElement.dataset.theme = theme.value;
		localStorage.setItem(KEPT_AS, theme.value);
		colours.value = colours.peek() + 1;
	});
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
		colours.value++;
	});
}

/** A colour of the style sheet as it is at the moment, for what is drawn on a canvas. */
export function colour(name: string): string {
	const probe = document.body.appendChild(document.createElement("i"));
	probe.style.color = `var(--${name})`;
	const { color } = getComputedStyle(probe);
	probe.remove();
	return color;
}
