// What the metrics say of limits.
import { expect, it } from "vitest";
import { ask, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";
import { scrape } from "../observe/scrape.ts";
import { addLimit } from "./books.ts";

it("how much of each limit is used, and what it has decided", async () => {
	const dataDir = temporaryFolder();
	const { id } = await addLimit({ dataDir }, "4 turns/day");
	const each = await addLimit({ dataDir }, "60 turns per conversation");
	const gateway = await startTestGateway({ emulator: { brain: "echo" }, settings: { dataDir } });
	const used = async () => (await scrape(gateway)).count("cursorwire_limit_used_ratio", { limit: id });
	expect(await used()).toBe(0);
	for (const status of [200, 200, 200]) expect((await ask(gateway, [user("go")])).status).toBe(status);
	expect(await used()).toBe(0.75);
	for (const status of [200, 402, 402]) expect((await ask(gateway, [user("go")])).status).toBe(status);
	const { count } = await scrape(gateway);
	expect(count("cursorwire_limit_used_ratio", { limit: id })).toBe(1);
	const decided = (decision: string) => count("cursorwire_limit_decisions_total", { limit: id, decision });
	expect(["allowed", "warned", "refused", "cut"].map(decided)).toEqual([4, 2, 2, undefined]);
	// One figure for conversations that are counted one by one would mean nothing.
	expect(count("cursorwire_limit_used_ratio", { limit: each.id })).toBeUndefined();
});
