// Every command that a document or the program names is typed, as it is printed, on a machine made for it.
import type { Command } from "commander";
import * as emulator from "cursorwire-emulator/cli";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "../../src/cli/program.ts";
import { SDK_SNIPPETS } from "../../src/connect/sdk-snippet.ts";
import { collectCommands, commandsIn } from "./commands/collect.ts";
import { complete } from "./commands/complete.ts";
import { rowOf } from "./commands/rows.ts";
import { Stage } from "./commands/stage.ts";

let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open();
});
afterAll(() => stage?.close());

const named = collectCommands();
/** Each once, by what is typed for it. */
const commands = new Map([...named.keys(), ...commandsInHelp()].map((command) => [complete(command), command]));

/** The usage and the examples of every page of help. */
function commandsInHelp(): string[] {
	const pagesOf = (command: Command): Command[] => [command, ...command.commands.flatMap(pagesOf)];
	return pagesOf(buildProgram(emulator)).flatMap((command) => {
		const page: string[] = [];
		command.configureOutput({ writeOut: (text) => page.push(text) }).outputHelp();
		return [...page.join("").matchAll(/^(?:Usage: | {2,}(?:\w+ {2,})?)(cursorwire .*?)(?: {2,}.*)?$/gm)].map(
			([, line]) => line!,
		);
	});
}

async function type(command: string): Promise<void> {
	const row = rowOf(command);
	if (!row) expect.fail(`add a row to commands/rows.ts for: ${command} (${named.get(commands.get(command)!)})`);
	await row.run(stage, command);
}

describe("every command that a document or a text names", () => {
	it("is found", () => {
		expect(commands.size).toBeGreaterThan(100);
		expect(named.get("cursorwire login")!.some((file) => file.endsWith("error-kinds.ts"))).toBe(true);
	});

	it.concurrent.each([...commands.keys()])("%s", type);
});

describe("every command that the program prints", () => {
	it("in the programs for SDKs: the variables lead to the gateway", async () => {
		const lines = SDK_SNIPPETS.environment!({ url: stage.gateway.url, model: "auto" });
		const asked = `curl -sf "$OPENAI_BASE_URL/models" -H "authorization: Bearer $OPENAI_API_KEY"`;
		const typed = stage.type(`${lines}\n${asked}`, { withGateway: true });
		expect(await typed.ended, typed.output()).toBe(0);
		expect(JSON.parse(typed.output()).data).toContainEqual(expect.objectContaining({ id: "auto" }));
	});

	it("in the banner of serve: the request is answered", async () => {
		const gateway = stage.type("cursorwire serve");
		const [curl] = await gateway.prints(/curl .*(?=\n)/);
		const asked = stage.type(`${curl} -s --fail`);
		expect(await asked.ended, asked.output()).toBe(0);
		expect(JSON.parse(asked.output()).choices[0].message.content).toContain("Say hello");
		gateway.stop();
	});

	it("in its errors, and in whatever was said up to here", async () => {
		const signedOut = { env: { CURSOR_API_KEY: "" } };
		const failures = [
			stage.type("cursorwire models", signedOut),
			stage.type("cursorwire doctor", signedOut),
			stage.type("cursorwire ask -m gpt-99 hello"),
			stage.type("cursorwire connect codex"),
			stage.type("cursorwire keys revoke nobody"),
		];
		for (const { ended } of failures) expect(await ended).not.toBe(0);
		for (const { output } of failures) expect(commandsIn(output())).not.toEqual([]);
		const said = new Set(commandsIn(stage.said).map(complete));
		for (const command of said) if (!commands.has(command)) await type(command);
	});
});
