// What the program loads before it knows which command was called, and `serve` before its port is open. Each of these
// packages costs tens of milliseconds of every start, and memory for as long as the program runs.
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { beforeAll, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { BUNDLE } from "../../../../scripts/build/package.mjs";

const GATEWAY = fileURLToPath(new URL("../../", import.meta.url));
const ENTRY = "src/main.ts";
const SERVE = "src/cli/commands/gateway/serve.ts";
const HEAVY = /node_modules\/(@bufbuild\/protobuf|zod|gpt-tokenizer|pino|ioredis|ajv|yaml)\//;
/** Of zod and pino, `serve` needs something at once, but not the texts of errors in fifty languages. */
const NOT_TO_LISTEN =
	/node_modules\/(@bufbuild\/protobuf|zod\/v4\/locales\/(?!en\.)|gpt-tokenizer|ioredis|ajv|yaml|@clack|smol-toml|diff)|protocol\/src\/gen\//;

let outputs: Metafile["outputs"];

beforeAll(async () => {
	const { metafile } = await build({
		...BUNDLE,
		absWorkingDir: GATEWAY,
		entryPoints: [ENTRY],
		write: false,
		metafile: true,
		format: "esm",
		splitting: true,
		outdir: "nowhere",
		external: ["libsql", "@napi-rs/keyring"],
	});
	outputs = metafile!.outputs;
});

/** The source files that are loaded with one of them, however far away; not those that come later, by `import()`. */
function loadedWith(source: string): string[] {
	const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source);
	const loaded = new Set([entry!]);
	for (const path of loaded) {
		for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind !== "dynamic-import") loaded.add(next);
	}
	return [...loaded].flatMap((path) => sourcesIn(path));
}

/** Without the files of which nothing is left. */
const sourcesIn = (path: string): string[] =>
	Object.entries(outputs[path]?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : []));

it("is small: the commands themselves are loaded when they are called", () => {
	const all = Object.keys(outputs).flatMap(sourcesIn);
	expect(all.filter((file) => HEAVY.test(file)).length).toBeGreaterThan(100);
	const loaded = loadedWith(ENTRY);
	expect(loaded).toContain("src/cli/program.ts");
	expect(loaded.filter((file) => HEAVY.test(file) || file.startsWith("src/cli/commands/"))).toEqual([]);
});

it("loads what `serve` needs to listen, and no message of Cursor", () => {
	const all = Object.keys(outputs).flatMap(sourcesIn);
	expect(all.filter((file) => NOT_TO_LISTEN.test(file)).length).toBeGreaterThan(100);
	const loaded = loadedWith(SERVE);
	expect(loaded).toContain("src/server/server.ts");
	expect(loaded.filter((file) => NOT_TO_LISTEN.test(file))).toEqual([]);
});
