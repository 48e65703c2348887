import { format } from "node:util";
import { it } from "vitest";

/** Rows that cannot be run, by name, and why. */
export type SkippedRows = Readonly<Record<string, string>>;

type Test<Args extends readonly unknown[]> = (...args: Args) => Promise<void>;

/** Tests by name, one or a list of cases under one pattern. */
export interface Rows {
	(title: string, test: () => Promise<void>): void;
	each<Case extends readonly unknown[]>(cases: readonly Case[]): (pattern: string, test: Test<Case>) => void;
	each<Case>(cases: readonly Case[]): (pattern: string, test: Test<[Case]>) => void;
	/** Names that were to be skipped and are no rows: a list that has outlived what it speaks of. */
	strangers(): string[];
}

/** `it` that leaves out the rows that are named; of a list of cases, all by their pattern or single ones by their name. */
export function rows(skipped: SkippedRows): Rows {
	const strangers = new Set(Object.keys(skipped));
	const row = (title: string, test: () => Promise<void>, pattern = title) => {
		strangers.delete(title);
		strangers.delete(pattern);
		const isSkipped = Object.hasOwn(skipped, title) || Object.hasOwn(skipped, pattern);
		if (isSkipped) it.skip(title, test);
		else it(title, test);
	};
	const each = (cases: readonly unknown[]) => (pattern: string, test: Test<unknown[]>) => {
		for (const one of cases) {
			const args: unknown[] = Array.isArray(one) ? one : [one];
			const shown = args.slice(0, pattern.match(/%s/g)?.length ?? 0);
			row(format(pattern, ...shown), () => test(...args), pattern);
		}
	};
	const one = (title: string, test: () => Promise<void>) => row(title, test);
	return Object.assign(one, { each, strangers: () => [...strangers] }) as Rows;
}
