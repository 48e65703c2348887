import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram, startProgram, temporaryFolder } from "../kit/program.ts";

async function startDemo(env: Record<string, string>) {
	const demo = startProgram(["demo", "--port", "0", "--json"], env);
	const [line] = await demo.prints(/^\{.*\}$/m);
	return { ...demo, ...(JSON.parse(line) as { url: string; key: string }) };
}

const models = (url: string, key: string) => fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });

it("accepts keys that are added while it runs, until they are revoked", async () => {
	const env = { HOME: temporaryFolder() };
	const { url, key } = await startDemo(env);
	const added = JSON.parse((await runProgram(["keys", "add", "laptop", "--json"], env)).out) as { key: string };
	expect((await models(url, key)).status).toBe(200);
	expect((await models(url, added.key)).status).toBe(200);
	expect((await runProgram(["keys"], env)).out).toMatch(
		/laptop +client +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d +any +any +valid/,
	);
	expect((await runProgram(["keys", "revoke", "laptop"], env)).code).toBe(0);
	// Another process made it invalid, which a gateway notices within a second.
	while ((await models(url, added.key)).status !== 401);
	expect((await models(url, key)).status).toBe(200);
});

it("knows the keys that were added before, and leaves the folder to the next gateway", async () => {
	const home = temporaryFolder();
	const env = { HOME: home };
	const added = JSON.parse((await runProgram(["keys", "add", "laptop", "--json"], env)).out) as { key: string };
	const first = await startDemo(env);
	expect((await models(first.url, added.key)).status).toBe(200);
	first.child.kill("SIGTERM");
	expect((await first.ended).code).toBe(0);
	expect(existsSync(join(home, ".config/cursorwire/gateway.json"))).toBe(false);
	expect((await startDemo(env)).key).toBe(first.key);
});

it("is found by other commands when its key comes from the settings", async () => {
	const env = { HOME: temporaryFolder(), CURSORWIRE_KEY: "a-key-of-the-settings-0123456789" };
	const { url, key } = await startDemo(env);
	expect(key).toBe(env.CURSORWIRE_KEY);
	expect((await models(url, key)).status).toBe(200);
	const { code, out } = await runProgram(["connect", "sdk"], env);
	expect([code, out]).toEqual([0, expect.stringContaining(url)]);
});

it("holds the limits of this home and of its keys, and counts for itself", async () => {
	const env = { HOME: temporaryFolder() };
	const { url, key } = await startDemo(env);
	const ask = async (as: string) => {
		const response = await fetch(`${url}/v1/chat/completions`, {
			method: "POST",
			headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
			body: JSON.stringify({ model: "auto", messages: [{ role: "user", content: "Say hello" }] }),
		});
		return response.status;
	};
	const added = JSON.parse((await runProgram(["keys", "add", "task", "--limit", "1 turn", "--json"], env)).out);
	expect([await ask(added.key), await ask(added.key)]).toEqual([200, 402]);
	await runProgram(["limits", "add", "2 turns/day"], env);
	while ((await ask(key)) === 200);
	const listed = await runProgram(["limits", "--json"], env);
	expect(JSON.parse(listed.out).limits.map(({ used }: { used: number }) => used)).toEqual([1, 2]);
	expect(listed.err).toBe("Note: what is used is what the demo that runs has counted.\n");
});
