export interface BuiltPage {
	html: string;
	js: Uint8Array;
	css: Uint8Array;
}

export function buildPage(): Promise<BuiltPage>;

export function pageInputs(): Promise<string[]>;
