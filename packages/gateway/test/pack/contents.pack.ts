// D2, D3: what is in the packages, file by file and package by package.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, describe, expect, inject, it } from "vitest";
// @ts-expect-error: a script without types
import { BUNDLE, bundle, PACKAGES } from "../../../../scripts/build/package.mjs";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cursorwire-contents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { built: builtFolder, tarballs } = inject("packages");

const names = Object.keys(PACKAGES);
const built = (name: string, ...path: string[]) => join(builtFolder, name, ...path);

function filesIn(place: string): string[] {
	return readdirSync(place, { recursive: true, encoding: "utf8" })
		.filter((path) => statSync(join(place, path)).isFile())
		.sort();
}

describe.each(names)("D2: the package %s", (name) => {
	it("holds what was built, and nothing else", () => {
		const packed = execFileSync("tar", ["-tzf", tarballs[name]!], { encoding: "utf8" }).trim().split("\n");
		expect(packed.map((path) => path.replace(/^package\//, "")).sort()).toEqual(filesIn(built(name)));
	});

	it("holds no source map and no path of the machine that built it", () => {
		for (const path of filesIn(built(name))) {
			expect(path).not.toMatch(/\.(map|ts)$(?<!\.d\.ts)/);
			const text = readFileSync(built(name, path), "utf8");
			expect(text).not.toContain(ROOT);
			expect(text).not.toMatch(/sourceMappingURL=/);
		}
	});

	it("lists in its bill of materials and its notices exactly what is bundled", async () => {
		const { entries, threads = [], installed, folder: source, hasPage } = PACKAGES[name];
		// Not by the functions of the build: a second opinion.
		const { metafile } = await build({
			...BUNDLE,
			absWorkingDir: join(ROOT, source),
			entryPoints: [...entries, ...threads].map((entry: string) => `src/${entry}.ts`),
			outdir: join(folder, "unused"),
			write: false,
			splitting: true,
			format: "esm",
			external: installed.flatMap((each: string) => [each, `${each}/*`]),
			metafile: true,
		});
		const page = {
			...{ bundle: true, write: false, metafile: true, outdir: join(folder, "unused"), jsx: "automatic" as const },
			...{ jsxImportSource: "preact", absWorkingDir: join(ROOT, source), entryPoints: ["../page/src/main.tsx"] },
		};
		const metafiles = [metafile!, ...(hasPage ? [(await build(page)).metafile!] : [])];
		const inputs = metafiles
			.flatMap(({ outputs }) => Object.values(outputs))
			.flatMap((output) => Object.keys(output.inputs));
		const places = new Set(
			inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/[^/]+|[^/]+)/.exec(join(ROOT, source, input))?.[0] ?? []),
		);
		const wanted = new Set(
			[...places].map((place) => {
				const manifest = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
				return `${manifest.name} ${manifest.version}`;
			}),
		);
		const bill = JSON.parse(readFileSync(built(name, "sbom.cdx.json"), "utf8"));
		const listed: string[] = bill.components.map(
			(each: { name: string; version: string }) => `${each.name} ${each.version}`,
		);
		expect(new Set(listed)).toEqual(wanted);
		expect(listed).toHaveLength(wanted.size);
		const notices = wanted.size === 0 ? "" : readFileSync(built(name, "THIRD-PARTY-NOTICES.txt"), "utf8");
		for (const each of wanted) expect(notices).toContain(`${each} (`);
	});
});

// Without the declarations, which take most of the time of a build.
it.each(names)("D2: a second build of %s gives the same program", async (name) => {
	const { entries, threads = [], installed, folder: source } = PACKAGES[name];
	const again = join(folder, "again", name);
	await bundle(join(ROOT, source), [...entries, ...threads], again, installed);
	const programs = filesIn(built(name, "dist")).filter((path) => path.endsWith(".js") && !path.startsWith("page"));
	expect(filesIn(again)).toEqual(programs);
	for (const path of programs) {
		expect(readFileSync(join(again, path)).equals(readFileSync(built(name, "dist", path))), path).toBe(true);
	}
});
