// The table of layers: a wrong import in each row is refused, and the document shows the same table.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { MAY_IMPORT, ON_TOP } from "../../../../layers.mjs";

const FOLDERS = [...Object.keys(MAY_IMPORT), ...ON_TOP];
const SOURCE = "packages/gateway/src";

/** For each row an import that it does not allow. */
function wrongImports(): [folder: string, forbidden: string][] {
	return Object.entries(MAY_IMPORT).map(([folder, allowed]) => {
		const forbidden = FOLDERS.find((other) => other !== folder && !allowed.includes(other));
		return [folder, forbidden!];
	});
}

it("refuses a wrong import in each row", async () => {
	const root = mkdtempSync(join(tmpdir(), "cursorwire-layers-"));
	onTestFinished(() => rmSync(root, { recursive: true }));
	const write = (path: string, text: string) => {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	};
	for (const folder of FOLDERS) write(`${SOURCE}/${folder}/part.ts`, `export const name = "${folder}";\n`);
	for (const [folder, forbidden] of wrongImports()) {
		write(`${SOURCE}/${folder}/wrong.ts`, `export { name } from "../${forbidden}/part.ts";\n`);
	}
	write("tsconfig.json", readFileSync("tsconfig.json", "utf8"));
	const program = join(process.cwd(), "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
	const config = join(process.cwd(), ".dependency-cruiser.mjs");
	const told = await promisify(execFile)(
		process.execPath,
		[program, "--config", config, "--output-type", "json", "packages"],
		{ cwd: root, maxBuffer: 1 << 26 },
	).catch(({ stdout }) => ({ stdout }));
	const { violations } = JSON.parse(told.stdout).summary;
	const refused = violations.map(({ rule, from, to }: { rule: { name: string }; from: string; to: string }) => [
		rule.name,
		from,
		to,
	]);
	for (const [folder, forbidden] of wrongImports()) {
		expect(refused).toContainEqual([
			`${folder}-imports-its-row`,
			`${SOURCE}/${folder}/wrong.ts`,
			`${SOURCE}/${forbidden}/part.ts`,
		]);
	}
	expect(violations.filter(({ rule }: { rule: { name: string } }) => rule.name.endsWith("-row"))).toHaveLength(
		wrongImports().length,
	);
});

it("is the table of docs/architecture.md", () => {
	const document = readFileSync("docs/architecture.md", "utf8");
	const rows = [...document.matchAll(/^\| `(\w+)` \| .* \| ([^|]*) \|$/gm)].map(([, folder, may]) => [
		folder!,
		[...may!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
	]);
	expect(Object.fromEntries(rows)).toEqual(MAY_IMPORT);
});
