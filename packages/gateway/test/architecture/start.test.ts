// What the program loads before it knows which command was called. Each of these packages costs tens of milliseconds
// of every start, also of `cursorwire --version`.
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { expect, it } from "vitest";

const GATEWAY = fileURLToPath(new URL("../../", import.meta.url));
const ENTRY = "src/main.ts";
const HEAVY = /node_modules\/(@bufbuild\/protobuf|zod|gpt-tokenizer|pino|ioredis|ajv|yaml)\//;

/** The files that are loaded with a file, however far away; not those that are loaded later, by `import()`. */
function loadedWith(file: string, { inputs }: Metafile, loaded = new Set<string>()): Set<string> {
	if (loaded.has(file)) return loaded;
	loaded.add(file);
	for (const { path, kind } of inputs[file]?.imports ?? []) {
		if (kind !== "dynamic-import") loadedWith(path, { inputs, outputs: {} }, loaded);
	}
	return loaded;
}

it("is small: the commands themselves are loaded when they are called", async () => {
	const { metafile } = await build({
		absWorkingDir: GATEWAY,
		entryPoints: [ENTRY],
		bundle: true,
		write: false,
		metafile: true,
		format: "esm",
		platform: "node",
		splitting: true,
		outdir: "nowhere",
		external: ["libsql", "@napi-rs/keyring"],
	});
	const all = Object.keys(metafile.inputs);
	expect(all.filter((file) => HEAVY.test(file)).length).toBeGreaterThan(100);
	const loaded = [...loadedWith(ENTRY, metafile)];
	expect(loaded).toContain("src/cli/program.ts");
	expect(loaded.filter((file) => HEAVY.test(file) || file.startsWith("src/cli/commands/"))).toEqual([]);
});
