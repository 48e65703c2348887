import { readFileSync } from "node:fs";

/** Of this package. Stays in this folder: the built files are as deep below the manifest as it is. */
export function packageVersion(): string {
	return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
