// Writes src/left-out.ts: npm run generate
import { writeFileSync } from "node:fs";
import { leftOut } from "./left-out.ts";

const LONGEST_LINE = 118;

const lines = Object.entries(leftOut()).map(([name, numbers]) => {
	const [key, value] = [`"${name}":`, `"${numbers.join(" ")}",`];
	return key.length + value.length < LONGEST_LINE ? `\t${key} ${value}` : `\t${key}\n\t\t${value}`;
});

writeFileSync(
	new URL("../src/left-out.ts", import.meta.url),
	`// Written by scripts/write-left-out.ts: npm run generate

/** Fields that are known of our messages and that proto/ leaves out, as nothing here needs them: they are no news. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
${lines.join("\n")}
};
`,
);
