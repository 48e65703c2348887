// A turn that was recorded can be saved from the page, as a file that the emulator plays again.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { TurnAnswer, TurnsAnswer } from "../../src/page/contract.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { say } from "../kit/hostile/rig.ts";
import { temporaryFolder } from "../kit/program.ts";
import { openPage, type PageClient } from "./page-client.ts";

const ask = async (rig: TestGateway) => (await rig.post("/v1/chat/completions", say("hello"))).text();

/** The only turn, once its row is written. */
async function theTurn(page: PageClient): Promise<TurnAnswer> {
	for (;;) {
		const { rows } = (await (await page.fetch("turns")).json()) as TurnsAnswer;
		if (rows[0]) return (await page.fetch(`turns/${rows[0].id}`)).json() as Promise<TurnAnswer>;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

it("is the file that was written for the run of the turn", async () => {
	const record = temporaryFolder();
	const rig = await startTestGateway({ settings: { record } });
	const said = await ask(rig);
	const page = await openPage(rig);
	const { turn, recording } = await theTurn(page);
	expect(readdirSync(record)).toEqual([recording]);
	const response = await page.fetch(`turns/${turn.id}/recording`);
	expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${recording}"`);
	const text = await response.text();
	expect(text).toBe(readFileSync(join(record, recording!), "utf8"));

	const folder = temporaryFolder();
	const replayed = await startTestGateway({
		emulator: { replay: join(record, recording!) },
		settings: { dataDir: folder },
	});
	expect(((await JSON.parse(await ask(replayed))) as { choices: unknown[] }).choices).toHaveLength(
		(JSON.parse(said) as { choices: unknown[] }).choices.length,
	);
});

it("is not there for a turn that was not recorded, nor for one that is unknown", async () => {
	const rig = await startTestGateway();
	await ask(rig);
	const page = await openPage(rig);
	const { turn, recording } = await theTurn(page);
	expect(recording).toBeUndefined();
	for (const id of [turn.id, 999]) {
		const response = await page.fetch(`turns/${id}/recording`);
		expect([id, response.status]).toEqual([id, 404]);
	}
	expect(await (await page.fetch(`turns/${turn.id}/recording`)).text()).toContain("This turn was not recorded");
});
