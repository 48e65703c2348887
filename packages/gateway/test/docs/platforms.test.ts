import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const GATEWAY = "packages/gateway/src/";
const page = readFileSync(join(ROOT, "docs/platforms.md"), "utf8");

/** What makes a source depend on the operating system. */
const SIGNS = /process\.platform|["']?\b(win32|darwin)\b["']?|process\.getuid|\/proc\/|schtasks|launchctl|SIGHUP/;

const sources = readdirSync(join(ROOT, "packages"))
	.map((name) => `packages/${name}/src`)
	.filter((folder) => existsSync(join(ROOT, folder)))
	.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true })
			.map((name) => `${folder}/${String(name).replaceAll("\\", "/")}`)
			.filter((path) => /(?<!\.test)\.ts$/.test(path) && !path.includes("/gen/")),
	);
const dependent = sources.filter((path) => SIGNS.test(readFileSync(join(ROOT, path), "utf8")));
const nameOf = (path: string) => (path.startsWith(GATEWAY) ? path.slice(GATEWAY.length) : path);

it("there are sources that depend on the system", () => expect(dependent.length).toBeGreaterThan(10));

it.each(dependent.map(nameOf))("the page names %s", (name) => expect(page).toContain(`\`${name}\``));

it("the page names only files that exist", () => {
	const paths = [...page.matchAll(/`((?:[\w.-]+\/)+[\w.-]+)`/g)].map(([, path]) => path!);
	const named = paths.filter((path) => /\.(ts|mjs|yml)$/.test(path));
	expect(named.length).toBeGreaterThan(20);
	const isThere = (path: string) => [path, GATEWAY + path].some((candidate) => existsSync(join(ROOT, candidate)));
	expect(named.filter((path) => !isThere(path))).toEqual([]);
});
