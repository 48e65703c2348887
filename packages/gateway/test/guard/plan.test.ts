// What Cursor's own figures decide: shares of the plan, and the other pool instead.
import type { AccountFileInput } from "cursorwire-emulator";
import { expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { type Answer, ask, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";
import { addLimit } from "./books.ts";

/** An account whose `api` pool is used so far, of 20 dollars. */
const account = (usedCents: number): AccountFileInput => ({
	accounts: [
		{
			...{ id: "user_1", acceptAnyKey: true },
			quota: { auto: { limitCents: 50_000, usedCents: 500 }, api: { limitCents: 2_000, usedCents } },
		},
	],
});

interface Start {
	limit?: string;
	usedCents: number;
	fallback?: number;
	before?: TestGatewayOptions["before"];
}

async function start({ limit, usedCents, fallback = 0, before }: Start): Promise<TestGateway> {
	const dataDir = temporaryFolder();
	if (limit !== undefined) await addLimit({ dataDir }, limit);
	const settings = { dataDir, apiPoolFallback: fallback };
	const emulator = { brain: "echo", accounts: account(usedCents) };
	return startTestGateway({ emulator, settings, ...(before && { before }) });
}

/** The answer of a gateway that has heard from Cursor; it waits for that no longer than a moment. */
async function answered(gateway: TestGateway): Promise<Answer> {
	let answer: Answer | undefined;
	await until(async () => {
		answer = await ask(gateway, [user("go")]);
		return answer.status !== 503;
	});
	return answer!;
}

/** Before Cursor was asked for the first time nobody knows how full a pool is. */
const heard = (gateway: TestGateway) =>
	until(async () => (await (await gateway.fetch("/v1/usage")).text()).includes('"used_percent":'));

it("a share of a pool that is used up is refused with Cursor's figure", async () => {
	const gateway = await start({ limit: "80% of api", usedCents: 1_700 });
	const refused = await answered(gateway);
	expect([refused.status, refused.headers.get("x-should-retry")]).toEqual([402, "false"]);
	expect(refused.error?.message).toMatch(
		/^The limit of 80% of api.* is reached: 85% of 80% of the api pool used, as Cursor told last; it begins anew at /,
	);
	expect(gateway.emulator.stats().runs.started).toBe(0);
});

it("a share that is nearly used is warned of, in words that say whose figure it is", async () => {
	const { status, warnings } = await answered(await start({ limit: "1000 cents of api", usedCents: 810 }));
	expect(status).toBe(200);
	expect(warnings).toContain("is at 80%: 810 of 1000 cents of the api pool used, as Cursor told last");
});

it("a share that Cursor says nothing of lets nothing through, and on watch everything", async () => {
	// Nobody listens there.
	const before = async () => "http://127.0.0.1:9";
	const refused = await ask(await start({ limit: "80% of api", usedCents: 0, before }), [user("go")]);
	expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
	expect(refused.error).toMatchObject({
		code: "limit_unknown",
		message: expect.stringContaining("Cursor has not said how much of the plan is used"),
	});
	// It was let through, as far as it went.
	const watched = await ask(await start({ limit: "80% of api watch", usedCents: 0, before }), [user("go")]);
	expect(watched.error?.code).toBe("upstream_unavailable");
});

it("with apiPoolFallback a full api pool leads to auto, told in two headers and in the reply's model", async () => {
	const gateway = await start({ usedCents: 1_900, fallback: 90 });
	await heard(gateway);
	const response = await gateway.post("/v1/chat/completions", { model: "gpt-5.4", messages: [user("go")] });
	expect(response.status).toBe(200);
	expect(response.headers.get("x-cursorwire-warnings")).toBe(
		"the api pool is used up to 95%, so auto answers instead of gpt-5.4 (setting apiPoolFallback: 90)",
	);
	expect(response.headers.get("x-cursorwire-model")).toBe("auto");
	expect(await response.json()).toMatchObject({ model: "auto" });
	const own = await ask(gateway, [user("go")], { model: "composer-1" });
	expect([own.status, own.warnings]).toEqual([200, ""]);
});

it.each([
	["below the percentage", { usedCents: 1_700, fallback: 90 }],
	["without the setting", { usedCents: 1_900 }],
])("%s the model that was asked for answers", async (_, options) => {
	const gateway = await start(options);
	await heard(gateway);
	const { status, warnings, headers } = await ask(gateway, [user("go")], { model: "gpt-5.4" });
	expect([status, warnings]).toEqual([200, ""]);
	expect(headers.get("x-cursorwire-model")).toContain("gpt-5.4");
});
