import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { BLOCKS, DOCUMENTS, ROOT, read } from "./commands/collect.ts";

const ofLanguage = (language: string) => BLOCKS.filter((block) => block.language === language);

describe("every link in the documents", () => {
	it.each(DOCUMENTS)("leads somewhere: %s", (document) => {
		const text = read(document)!;
		const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
		for (const link of links) expect(existsSync(join(ROOT, dirname(document), link)), link).toBe(true);
	});
});

describe("the examples in the documents that are no commands", () => {
	it.each(ofLanguage("json"))("an account file in $document", async ({ text }) => {
		const emulator = await startEmulator({ accounts: JSON.parse(text) });
		await emulator.close();
	});

	it.each(ofLanguage("ts"))("a program in $document", async ({ text }) => {
		// Below the installed packages, so that their names resolve as they do for a user.
		const file = join(ROOT, ".cache", `example-${process.pid}.ts`);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
		try {
			const child = spawn(process.execPath, ["--import", "tsx", file], { cwd: ROOT, stdio: "ignore" });
			expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
		} finally {
			rmSync(file);
		}
	});
});
