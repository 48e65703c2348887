// Writes the documents that are made from tables: npm run docs
import { writeFileSync } from "node:fs";
import { DOCUMENTS } from "./documents.ts";

for (const [name, render] of Object.entries(DOCUMENTS)) {
	writeFileSync(new URL(`../../../docs/${name}`, import.meta.url), render());
}
