// What a client has started, after the client was ended by a signal: `cursorwire launch` ends what belongs to the launch.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "cursorwire-emulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { expectNothingLeft, type Home, launchHome } from "../kit/launch-home.ts";
import { type Started, startProgram } from "../kit/program.ts";
import { startInTerminal } from "../kit/pty.ts";
import { type RollCall, rollCall } from "../kit/roll-call.ts";

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator();
});
afterAll(() => emulator.close());

/** `node child.mjs <name> <what it does on SIGTERM>` */
const CHILD = `import { report } from "./report.mjs";
	const [, , name, onTerm] = process.argv;
	process.on("SIGTERM", async () => {
		if (onTerm === "asks") {
			await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
				method: "POST",
				headers: { authorization: "Bearer " + process.env.OPENAI_API_KEY, "content-type": "application/json" },
				body: JSON.stringify({ model: process.env.OPENAI_MODEL, messages: [{ role: "user", content: "Say hello" }] }),
			}).then((response) => response.text());
		}
		say("SIGTERM", onTerm === "stays" ? undefined : () => process.exit());
	});
	process.on("SIGINT", () => say("SIGINT"));
	const say = report(name);`;

/** Beginning of a client's script. `start` starts a child of its own, in the same group unless the options say otherwise. */
const CLIENT = `import { spawn } from "node:child_process";
	import { report } from "./report.mjs";
	const start = (name, onTerm, options) =>
		spawn(process.execPath, [import.meta.dirname + "/child.mjs", name, onTerm], { stdio: "ignore", ...options });
	`;

interface Staged {
	place: Home;
	program: Started;
	member: RollCall["member"];
}

/** Launches a client with this script; `others` are scripts beside it, by their names. */
async function launched(
	text: string,
	{
		others = {},
		start = startProgram,
	}: { others?: Record<string, string>; start?: (args: string[], env: Record<string, string>) => Started } = {},
): Promise<Staged> {
	const place = launchHome(emulator.url);
	const folder = place.env.HOME!;
	const { env, member } = await rollCall(folder);
	for (const [name, other] of Object.entries({ "child.mjs": CHILD, ...others }))
		writeFileSync(join(folder, name), other);
	const program = start(["launch", ...place.script(`${CLIENT}${text}`)], { ...place.env, ...env });
	return { place, program, member };
}

// Elsewhere there is nothing to look for processes in.
describe.skipIf(process.platform !== "linux")("a client that a signal ends", () => {
	it.each([
		["ends when it is asked to", "ends"],
		["does not end when it is asked to", "stays"],
	])("leaves no program that %s", async (_, onTerm) => {
		const { place, program, member } = await launched(`start("child", "${onTerm}"); report("client");`);
		const [client, child] = [await member("client"), await member("child")];
		process.kill(client.pid, "SIGKILL");
		expect((await program.ended).code).toBe(137);
		expect(await child.isAlive()).toBe(false);
		expect(child.said).toEqual(["SIGTERM"]);
		await expectNothingLeft(place);
	});

	it.each([
		["SIGINT", 130],
		["SIGTERM", 143],
	] as const)("also if launch passed %s on to it alone", async (signal, code) => {
		const { place, program, member } = await launched(`start("child", "ends"); report("client");`);
		const [, child] = [await member("client"), await member("child")];
		program.child.kill(signal);
		expect((await program.ended).code).toBe(code);
		expect(await child.isAlive()).toBe(false);
		await expectNothingLeft(place);
	});

	it("leaves no program that does not mind Ctrl-C either", async () => {
		const { place, program, member } = await launched(`start("child", "ends"); report("client");`, {
			start: startInTerminal,
		});
		const [, child] = [await member("client"), await member("child")];
		program.child.stdin!.write("\x03");
		expect((await program.ended).code).toBe(130);
		expect(await child.isAlive()).toBe(false);
		expect(child.said).toEqual(["SIGINT", "SIGTERM"]);
		await expectNothingLeft(place);
	});

	it("is billed for what they did last, with a key that is valid until they have gone", async () => {
		const { place, program, member } = await launched(`start("child", "asks"); report("client");`);
		const [client] = [await member("client"), await member("child")];
		process.kill(client.pid, "SIGKILL");
		expect(await program.ended).toMatchObject({ code: 137, err: expect.stringMatching(/^This launch cost 1 turn\b/m) });
		await expectNothingLeft(place);
	});

	it("leaves alone what has a group of its own, and what does not belong to the launch", async () => {
		const { place, program, member } = await launched(`
			const { CURSORWIRE_LAUNCH: id, ...rest } = process.env;
			start("child", "ends");
			start("daemon", "ends", { detached: true });
			start("stranger", "ends", { env: rest });
			start("of another launch", "ends", { env: { ...rest, CURSORWIRE_LAUNCH: id + "0", NOT_CURSORWIRE_LAUNCH: id } });
			report("client");`);
		const others = [await member("daemon"), await member("stranger"), await member("of another launch")];
		const [client, child] = [await member("client"), await member("child")];
		process.kill(client.pid, "SIGKILL");
		expect((await program.ended).code).toBe(137);
		expect(await child.isAlive()).toBe(false);
		for (const other of others) {
			expect(await other.isAlive()).toBe(true);
			expect(other.said).toEqual([]);
			await other.kill();
		}
		await expectNothingLeft(place);
	});
});

it.skipIf(process.platform !== "linux")("a client that ends by itself decides what goes on", async () => {
	const { place, program, member } = await launched(`
		report("client");
		start("child", "ends");
		process.stdin.once("end", () => process.exit(0)).resume();`);
	const child = await member("child");
	program.child.stdin!.end();
	expect((await program.ended).code).toBe(0);
	expect(await child.isAlive()).toBe(true);
	expect(child.said).toEqual([]);
	await child.kill();
	await expectNothingLeft(place);
});

describe.skipIf(process.platform !== "linux")("a launch within a launch", () => {
	const OUTER = `
		const say = report("outer client");
		start("outer child", "ends");
		spawn("cursorwire", ["launch", "--", process.execPath, import.meta.dirname + "/inner.mjs"], {
			stdio: ["ignore", "ignore", "inherit"],
		}).once("exit", (code) => say("the inner launch ended with " + code));`;
	const inner = (text: string) => ({ "inner.mjs": `${CLIENT}${text} report("inner client");` });

	it("ends what is its own, and nothing of the outer one", async () => {
		const { place, program, member } = await launched(OUTER, { others: inner(`start("inner child", "stays");`) });
		const [outerClient, outerChild] = [await member("outer client"), await member("outer child")];
		const [innerClient, innerChild] = [await member("inner client"), await member("inner child")];
		process.kill(innerClient.pid, "SIGKILL");
		await program.complains(/This launch used nothing/);
		expect(await innerChild.isAlive()).toBe(false);
		await until(() => outerClient.said.length > 0);
		expect(outerClient.said).toEqual(["the inner launch ended with 137"]);
		for (const outer of [outerClient, outerChild]) expect(await outer.isAlive()).toBe(true);
		expect(outerChild.said).toEqual([]);
		process.kill(outerClient.pid, "SIGKILL");
		expect((await program.ended).code).toBe(137);
		expect(await outerChild.isAlive()).toBe(false);
		await expectNothingLeft(place, 2);
	});

	it("ends in order when the outer client is killed, even if its own client does not want to", async () => {
		const stays = `start("inner child", "stays"); process.on("SIGTERM", () => {});`;
		const { place, program, member } = await launched(OUTER, { others: inner(stays) });
		const names = ["outer client", "outer child", "inner client", "inner child"];
		const [outerClient, ...others] = await Promise.all(names.map(member));
		process.kill(outerClient!.pid, "SIGKILL");
		const { code, err } = await program.ended;
		expect(code).toBe(137);
		for (const other of others) expect(await other.isAlive()).toBe(false);
		// The inner one first, then the outer one.
		expect(err.match(/This launch used nothing/g)).toHaveLength(2);
		await expectNothingLeft(place, 2);
	});
});
