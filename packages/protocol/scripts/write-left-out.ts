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

/** Known fields of our messages that proto/ leaves out because nothing here needs them. The census does not count them. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
${lines.join("\n")}
};
`,
);
