export interface BuiltPage {
	html: string;
	js: Uint8Array;
	css: Uint8Array;
	/** Paths of the sources that it was made from. */
	inputs: string[];
}

export function buildPage(): Promise<BuiltPage>;
