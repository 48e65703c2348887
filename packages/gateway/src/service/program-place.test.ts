import { expect, it } from "vitest";
import { type ProgramPlace, placeOf } from "./program-place.ts";

const CLONE = ["/home/ada/cursorwire/packages/gateway/src/main.ts", "/home/ada/cursorwire/package-lock.json"];
const IN_NPX_ON_WINDOWS =
	"C:\\Users\\ada\\AppData\\Local\\npm-cache\\_npx\\01\\node_modules\\cursorwire\\bin\\cursorwire.mjs";

it.each<[string, Partial<ProgramPlace>]>([
	["/usr/local/lib/node_modules/cursorwire/bin/cursorwire.mjs", {}],
	["/opt/cursorwire", {}],
	["/home/ada/.npm/_npx/0123456789abcdef/node_modules/cursorwire/bin/cursorwire.mjs", { inNpxCache: true }],
	[IN_NPX_ON_WINDOWS, { inNpxCache: true }],
	["/home/ada/my_npx/cursorwire", {}],
	["/tmp/download/cursorwire", { temporaryFolder: "/tmp" }],
	["/tmporary/cursorwire", {}],
	["/home/ada/cursorwire/packages/gateway/bin/cursorwire.mjs", { clone: "/home/ada/cursorwire" }],
	["/home/ada/packages/gateway/bin/cursorwire.mjs", {}],
])("%s", (program, place) => {
	const facts = { temporaryFolders: ["/tmp"], exists: (path: string) => CLONE.includes(path) };
	expect(placeOf(program, facts)).toEqual({ inNpxCache: false, ...place });
});
