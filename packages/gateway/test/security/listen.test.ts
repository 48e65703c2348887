// A8: other machines get in only where it was said in so many words, and never without a key.
import { chmodSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { runProgram, temporaryFolder } from "../kit/program.ts";

const refused: [string, string[], RegExp][] = [
	["all addresses", ["--host", "0.0.0.0"], /--allow-remote/],
	["all addresses, and no keys", ["--host", "0.0.0.0", "--allow-remote", "--no-auth"], /--no-auth/],
];

it("A8: serve refuses to listen for other machines", async () => {
	const ends = refused.map(async ([name, flags, reason]) => {
		const env = { CURSORWIRE_DATA_DIR: temporaryFolder() };
		const { code, out, err } = await runProgram(["serve", "--port", "0", "--json", ...flags], env);
		expect({ code, out }, name).toEqual({ code: 2, out: "" });
		expect(err.trim().split("\n"), name).toHaveLength(1);
		expect(err, name).toMatch(reason);
	});
	await Promise.all(ends);
});

it("A24: serve refuses a data folder that other users can change, and says what to do", async () => {
	const dataDir = temporaryFolder();
	chmodSync(dataDir, 0o777);
	const { code, out, err } = await runProgram(["serve", "--port", "0", "--json"], { CURSORWIRE_DATA_DIR: dataDir });
	expect({ code, out }).toEqual({ code: 2, out: "" });
	expect(err).toContain(`chmod 700 ${dataDir}`);
	expect(readdirSync(dataDir)).toEqual([]);
});
