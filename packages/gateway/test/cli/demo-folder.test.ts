import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findGateway } from "../../src/app/discovery.ts";
import { until } from "../kit/cleanup.ts";
import { startProgram, temporaryFolder } from "../kit/program.ts";

/** A demo with a folder for temporary files of its own. */
async function startDemo() {
	const folder = temporaryFolder();
	mkdirSync(join(folder, "tmp"));
	const env = { CURSORWIRE_DATA_DIR: join(folder, "data"), TMPDIR: join(folder, "tmp") };
	const program = startProgram(["demo", "--port", "0", "--json"], env);
	const ready: Record<"url" | "key" | "emulator", string> = JSON.parse((await program.prints(/^\{.*\}$/m))[0]);
	return { ...ready, program, dataDir: env.CURSORWIRE_DATA_DIR, left: () => readdirSync(join(folder, "tmp")) };
}

it("a demo that is stopped leaves no temporary folder", async () => {
	const { program, left } = await startDemo();
	expect(left()).toEqual([expect.stringMatching(/^cursorwire-demo-/)]);
	program.child.kill("SIGINT");
	expect((await program.ended).code).toBe(0);
	expect(left()).toEqual([]);
});

it("nor does one that a second signal stops while a turn is open", async () => {
	const { program, url, key, emulator, dataDir, left } = await startDemo();
	await fetch(`${emulator}/__emulator/faults`, { method: "POST", body: JSON.stringify({ fault: "stall@frame:2" }) });
	const turn = fetch(`${url}/v1/chat/completions`, {
		method: "POST",
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		body: JSON.stringify({ model: "auto", messages: [{ role: "user", content: "hello" }] }),
	}).catch(() => "cut");
	const stats = async () =>
		(await fetch(`${emulator}/__emulator/stats`)).json() as Promise<{ streams: { open: number } }>;
	await until(async () => (await stats()).streams.open > 0);
	program.child.kill("SIGINT");
	// It can be found no more as soon as the signal has arrived, and then waits for the turn.
	await until(() => findGateway(dataDir) === undefined);
	program.child.kill("SIGINT");
	expect((await program.ended).code).toBe(1);
	expect(await turn).toBe("cut");
	expect(left()).toEqual([]);
});
