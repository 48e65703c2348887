import { table } from "./markdown.ts";
import { provingTests } from "./proving-tests.ts";
import { RELIABILITY, ROW_IDS } from "./reliability-rows.ts";

/** docs/reliability.md: every promise with the tests that prove it. */
export function renderReliabilityDoc(): string {
	const tests = provingTests();
	const groups = RELIABILITY.map(({ title, rows }) => {
		const lines = Object.entries(rows).map(([id, [scenario, expectation]]) => [
			id,
			scenario,
			expectation,
			(tests.get(id) ?? []).map(link).join(", ") || "none yet",
		]);
		return `## ${title}\n\n${table(["row", "what happens", "what is expected", "proved by"], lines)}`;
	});
	return `${[
		"# Reliability",
		`What the gateway guarantees, survives and refuses: ${ROW_IDS.length} rows, each proved by at least one automatic test. The title of such a test names its row (\`U12: …\`), and \`npm run docs\` writes the last column from these titles; a test compares both.`,
		"`npm test` runs all of them except those in `*.agent.ts` (`npm run test:clients`) and `*.pack.ts` (`npm run test:packages`). `npm run soak` is row L7 at full length, and `npm run test:mutants` breaks the program on purpose, one line at a time, to check that the tests notice.",
		...groups,
	].join("\n\n")}\n`;
}

const link = (file: string): string => `[${file.replace(/^packages\//, "")}](../${file})`;
