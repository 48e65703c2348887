// Limits of tokens: estimated before, watched while a reply streams, exact at its end.
import type { Brain } from "cursorwire-emulator";
import { expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { ask, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";
import { addLimit, withBook } from "./books.ts";

const WORDS = "one two three four five six seven eight nine ten ";
/** Talks on and on, unless it is stopped. */
const endless: Brain = async function* () {
	for (let piece = 0; piece < 20_000; piece++) {
		yield { text: WORDS };
		await new Promise((resolve) => setImmediate(resolve));
	}
};
const short: Brain = async function* () {
	yield { text: "done" };
};

async function start(limit: string, brain: Brain): Promise<TestGateway> {
	const dataDir = temporaryFolder();
	await addLimit({ dataDir }, limit);
	return startTestGateway({ emulator: { brain }, settings: { dataDir } });
}

const limitsOf = async (gateway: TestGateway) => {
	const usage = await (await gateway.fetch("/v1/usage")).json();
	return (usage as { limits: { used: number; amount: number }[] }).limits;
};
const used = async (gateway: TestGateway) => (await limitsOf(gateway))[0]!.used;

it("a threshold that a reply crosses is told with the next one, once", async () => {
	let replies = 0;
	const brain: Brain = async function* () {
		yield { text: ++replies === 1 ? WORDS.repeat(60) : "done" };
	};
	const gateway = await start("1000 tokens/day", brain);
	const warnings: string[] = [];
	for (const _ of [1, 2, 3]) warnings.push((await ask(gateway, [user("go")])).warnings);
	const told = expect.stringMatching(/^limit \w+ \(1000 tokens\/day\) is at 50%: \d+ of 1000 tokens used, /);
	expect(warnings).toEqual(["", told, ""]);
});

it("a reply that streams goes by the limit as it is now", async () => {
	let goOn = () => {};
	const raised = new Promise<void>((resolve) => {
		goOn = resolve;
	});
	const long: Brain = async function* () {
		yield { text: WORDS };
		await raised;
		yield { text: WORDS.repeat(400) };
		yield { text: "end" };
	};
	const gateway = await start("3000 tokens/day", long);
	const { dataDir } = gateway;
	const asked = ask(gateway, [user("go")], {
		stream: true,
		onText: async (text) => {
			if (text !== WORDS) return;
			await withBook({ dataDir }, async (book) => book.change((await book.list())[0]!.id, { amount: 1_000_000 }));
			await until(async () => (await limitsOf(gateway))[0]!.amount === 1_000_000);
			goOn();
		},
	});
	expect(await asked).toMatchObject({ status: 200, text: `${WORDS.repeat(401)}end` });
});

it("a prompt that does not fit is refused with what it needs, before anything is sent", async () => {
	const gateway = await start("500 tokens/day", short);
	const refused = await ask(gateway, [user(WORDS.repeat(100))]);
	expect(refused.status).toBe(402);
	expect(refused.error?.message).toMatch(
		/0 of 500 tokens used, and this request needs about \d+ tokens; it begins anew/,
	);
	expect(gateway.emulator.stats().runs.started).toBe(0);
	expect((await ask(gateway, [user("go")])).status).toBe(200);
});

it("the exact figure is settled at the end", async () => {
	const gateway = await start("100k tokens/day", short);
	const answer = await gateway.post("/v1/chat/completions", {
		...{ model: "composer-1", messages: [user("go")] },
	});
	const { usage } = (await answer.json()) as { usage: { total_tokens: number } };
	expect(await used(gateway)).toBe(usage.total_tokens);
});

it.each(["/v1/chat/completions", "/v1/messages", "/v1/responses"])(
	"%s: a reply that crosses the limit ends with an error, and its run ends at Cursor",
	async (path) => {
		const gateway = await start("3000 tokens/day", endless);
		const asked = path === "/v1/responses" ? { input: "go" } : { messages: [user("go")], max_tokens: 100_000 };
		const response = await gateway.post(path, { model: "composer-1", stream: true, ...asked });
		expect(response.status).toBe(200);
		const text = await response.text();
		expect(text).toContain("The limit of 3000 tokens/day is reached: ");
		expect(text).not.toContain("[DONE]");
		expect(text).not.toContain("message_stop");
		expect(text).not.toContain("response.completed");
		await until(() => gateway.emulator.stats().streams.open === 0);
		expect(gateway.emulator.stats().runs.cancelled).toHaveLength(1);
		// What one piece of the stream brings may come on top.
		await until(async () => (await used(gateway)) >= 3000);
		expect(await used(gateway)).toBeLessThan(3000 + 8_000);
		expect((await ask(gateway, [user("more")])).status).toBe(402);
	},
);

it("a reply that is not streamed ends with a plain error", async () => {
	const gateway = await start("3000 tokens/day", endless);
	const cut = await ask(gateway, [user("go")]);
	expect([cut.status, cut.headers.get("x-should-retry")]).toEqual([402, "false"]);
	await until(() => gateway.emulator.stats().runs.cancelled.length === 1);
});

it("of several replies to one request the one that was cut counts like those that ended", async () => {
	let replies = 0;
	const brain: Brain = (turn) => (++replies === 1 ? short(turn) : endless(turn));
	const gateway = await start("3000 tokens/day", brain);
	expect((await ask(gateway, [user("go")], { more: { n: 2 } })).status).toBe(402);
	await until(async () => (await used(gateway)) >= 3000);
});

it("finish lets the reply end", async () => {
	const long: Brain = async function* () {
		for (let piece = 0; piece < 400; piece++) yield { text: WORDS };
	};
	const gateway = await start("3000 tokens/day finish", long);
	const { status, text } = await ask(gateway, [user("go")], { stream: true });
	expect([status, text.length]).toEqual([200, 400 * WORDS.length]);
	expect((await ask(gateway, [user("more")])).status).toBe(402);
});
