import { readFileSync } from "node:fs";

/** The version of this package. This file must stay here: `../package.json` is the manifest for the built files too. */
export function packageVersion(): string {
	return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
