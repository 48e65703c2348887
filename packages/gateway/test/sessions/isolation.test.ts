// Whose conversation it is: other callers, other accounts, and the same caller several times at once.
import type { AccountFileInput, Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import {
	addKey,
	ask,
	type Message,
	result,
	steps,
	tool,
	transcript,
	user,
	withKeys,
} from "../kit/dialects/handmade-chat.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";

const STEP = [tool("step")];

/** A brain for `go` with tools, which tells its transcript otherwise. */
const goOrTell: Brain = async function* (turn) {
	if (turn.prompt === "go" && turn.tools.length > 0) yield* steps(2)(turn);
	else yield* transcript(turn);
};

describe("callers with keys of their own", () => {
	it("S3: never get each other's answers: 100 pairs with the same prompts, at the same time", async () => {
		const dataDir = temporaryFolder();
		const keys = await Promise.all(["a", "b"].map((name) => addKey(dataDir, name, { concurrentTurns: 128 })));
		const gateway = await startTestGateway({
			emulator: { brain: steps(1), requestLog: 0 },
			settings: { dataDir },
			parked: { total: 256, perCaller: 128 },
		});
		const windows = Array.from({ length: 100 }, (_, pair) =>
			keys.map(({ key }, caller) => ({ key, nonce: `${pair}-${caller}`, messages: [user("go")] as Message[] })),
		).flat();
		const wave = async (order: typeof windows) =>
			new Map(
				await Promise.all(
					order.map(async (window) => {
						const answer = await ask(gateway, window.messages, {
							key: window.key,
							tools: STEP,
							stream: window.nonce.endsWith("0"),
						});
						expect(answer.status).toBe(200);
						window.messages.push(answer.message);
						return [window, answer] as const;
					}),
				),
			);

		const calls = await wave(windows);
		const ids = [...calls.values()].flatMap((answer) => answer.calls.map(({ id }) => id));
		expect(new Set(ids).size).toBe(200);
		expect(gateway.gateway.parkedRuns()).toBe(200);
		// Results come back in another order than the calls went out.
		for (const window of windows) window.messages.push(result(calls.get(window)!.calls[0]!, window.nonce));
		const answers = await wave(interleaved(windows));
		for (const [{ nonce }, { path, text }] of answers) expect([path, text]).toEqual(["parked", nonce]);
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 200, resumedByToolResult: 200, ended: 200 });
	});

	it("cannot answer each other's calls", async () => {
		const dataDir = temporaryFolder();
		const [a, b] = [await addKey(dataDir, "a"), await addKey(dataDir, "b")];
		const gateway = await startTestGateway({ emulator: { brain: goOrTell }, settings: { dataDir } });
		const first = await ask(gateway, [user("go")], { key: a.key, tools: STEP });
		const messages = [user("go"), first.message, result(first.calls[0]!, "by b")];

		// Told in full, b's own run goes on from b's own history; a's run still waits.
		const stolen = await ask(gateway, messages, { key: b.key, tools: STEP });
		expect(stolen.path).toBe("rebuild");
		expect(stolen.session).not.toBe(first.session);
		expect(gateway.gateway.parkedRuns()).toBe(2);

		// For a the call is open, so b's answer to it is no answer that conflicts with a's.
		const own = [user("go"), first.message, result(first.calls[0]!, "by a")];
		const second = await ask(gateway, own, { key: a.key, tools: STEP });
		expect(second).toMatchObject({ status: 200, path: "parked" });
		// And a's response is nothing that b could have replayed.
		const replayed = await ask(gateway, own, { key: b.key, tools: STEP });
		expect(replayed.path).toBe("rebuild");
		expect(replayed.calls[0]!.id).not.toBe(second.calls[0]!.id);
		const last = await ask(gateway, [...own, second.message, result(second.calls[0]!, "by a")], {
			key: a.key,
			tools: STEP,
		});
		expect(last).toMatchObject({ path: "parked", text: "by a by a" });
	});

	it("leave nothing waiting when they are revoked, and others go on", async () => {
		const dataDir = temporaryFolder();
		const [a, b] = [await addKey(dataDir, "a"), await addKey(dataDir, "b")];
		const gateway = await startTestGateway({ emulator: { brain: goOrTell }, settings: { dataDir } });
		await ask(gateway, [user("go")], { key: a.key, tools: STEP });
		const other = await ask(gateway, [user("go")], { key: b.key, tools: STEP });
		expect(gateway.gateway.parkedRuns()).toBe(2);
		await withKeys(dataDir, (ring) => ring.revoke(a.id));
		await until(() => gateway.gateway.parkedRuns() === 1);
		await until(() => gateway.emulator.stats().streams.open === 1);
		const messages = [user("go"), other.message, result(other.calls[0]!, "still here")];
		expect(await ask(gateway, messages, { key: b.key, tools: STEP })).toMatchObject({ path: "parked" });
	});

	it("cannot go on from each other's checkpoints", async () => {
		const dataDir = temporaryFolder();
		const [a, b] = [await addKey(dataDir, "a"), await addKey(dataDir, "b")];
		const gateway = await startTestGateway({ emulator: { brain: transcript }, settings: { dataDir } });
		const first = await ask(gateway, [user("one")], { key: a.key });
		const messages = [user("one"), first.message, user("two")];
		const [byA, byB] = [await ask(gateway, messages, { key: a.key }), await ask(gateway, messages, { key: b.key })];
		expect([byA.path, byB.path]).toEqual(["checkpoint", "rebuild"]);
		expect(byB.text).toBe(byA.text);
		expect(byB.session).not.toBe(byA.session);
	});
});

describe("Cursor credentials as keys", () => {
	const ACCOUNTS: AccountFileInput = {
		accounts: [
			{ id: "user_01OWN", apiKeys: ["key_own"], privacyMode: "no-storage" },
			{ id: "user_01ADA", apiKeys: ["key_ada"], privacyMode: "codebase" },
			{ id: "user_01BOB", apiKeys: ["key_bob"], privacyMode: "codebase" },
			{ id: "user_01EVE", apiKeys: ["key_eve"], blocked: "ERROR_SUSPICIOUS_USAGE_BLOCKED" },
		],
	};
	const start = (brain: Brain) =>
		startTestGateway({
			emulator: { brain, accounts: ACCOUNTS },
			settings: { apiKey: "key_own", acceptCursorCredentials: true },
		});

	it("run on the account that they are for", async () => {
		const gateway = await start(async function* ({ headers }) {
			yield { text: `private: ${headers["x-ghost-mode"]}` };
		});
		const asked = [user("who am I?")];
		const [own, ada, eve] = await Promise.all(
			[gateway.key, "key_ada", "key_eve"].map((key) => ask(gateway, asked, { key })),
		);
		expect([own!.text, ada!.text]).toEqual(["private: true", "private: false"]);
		expect(eve).toMatchObject({ status: 403, error: { code: "account_blocked" } });
	});

	it("may be an access token as well, and a wrong one is told from a wrong gateway key", async () => {
		const gateway = await start(transcript);
		const exchanged = await fetch(`${gateway.emulator.url}/auth/exchange_user_api_key`, {
			method: "POST",
			headers: { authorization: "Bearer key_ada", "content-type": "application/json" },
			body: "{}",
		});
		const { accessToken } = (await exchanged.json()) as { accessToken: string };
		expect(await ask(gateway, [user("hello")], { key: accessToken })).toMatchObject({
			status: 200,
			text: "user:hello",
		});
		const unknown = await ask(gateway, [user("hello")], { key: "key_nobody" });
		expect(unknown).toMatchObject({ status: 403, error: { code: "signed_out" } });
		const wrong = await ask(gateway, [user("hello")], { key: "cw_wrong" });
		expect(wrong).toMatchObject({ status: 401, error: { code: "invalid_api_key" } });
	});

	it("do not share sessions, with each other or with the owner's key", async () => {
		const gateway = await start(goOrTell);
		const first = await ask(gateway, [user("go")], { key: "key_ada", tools: STEP });
		const messages = [user("go"), first.message, result(first.calls[0]!, "r1")];
		for (const key of ["key_bob", gateway.key]) {
			expect((await ask(gateway, messages, { key, tools: STEP })).path).toBe("rebuild");
		}
		expect((await ask(gateway, messages, { key: "key_ada", tools: STEP })).path).toBe("parked");
	});
});

describe("one caller", () => {
	it("S4: may ask for a title beside the conversation itself", async () => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain(turn) {
					if (turn.tools.length === 0) yield { text: "A title" };
					else yield* goOrTell(turn);
				},
			},
		});
		const [main, title] = await Promise.all([ask(gateway, [user("go")], { tools: STEP }), ask(gateway, [user("go")])]);
		expect([main!.path, title!.path]).toEqual(["new", "new"]);
		expect(title!.text).toBe("A title");
		expect(title!.session).not.toBe(main!.session);
		const messages = [user("go"), main!.message, result(main!.calls[0]!, "r1")];
		const [second, again] = await Promise.all([
			ask(gateway, messages, { tools: STEP }),
			ask(gateway, [user("go"), title!.message, user("a shorter one")]),
		]);
		expect(second!.path).toBe("parked");
		expect(again).toMatchObject({ path: "checkpoint", text: "A title" });
		const last = await ask(gateway, [...messages, second!.message, result(second!.calls[0]!, "r2")], { tools: STEP });
		expect(last).toMatchObject({ path: "parked", text: "r1 r2" });
	});

	it("S4: may have the same conversation twice at once", async () => {
		const gateway = await startTestGateway({ emulator: { brain: goOrTell } });
		const windows = await Promise.all(
			["left", "right"].map(async (name) => {
				const messages: Message[] = [user("go")];
				for (let n = 1; n <= 2; n++) {
					const { message, calls } = await ask(gateway, messages, { tools: STEP });
					messages.push(message, result(calls[0]!, `${name}${n}`));
				}
				const last = await ask(gateway, messages, { tools: STEP });
				return { name, last, next: [...messages, last.message, user("and?")] };
			}),
		);
		for (const { name, last, next } of windows) {
			expect(last).toMatchObject({ path: "parked", text: `${name}1 ${name}2` });
			const answer = await ask(gateway, next, { tools: STEP });
			expect(answer.path).toBe("checkpoint");
			expect(answer.text).toContain(`tool:${name}1`);
		}
		expect(gateway.emulator.stats().runs.started).toBe(4);
	});

	it("may branch a conversation, both branches at the same time", async () => {
		const gateway = await startTestGateway({ emulator: { brain: transcript } });
		const first = await ask(gateway, [user("one")]);
		const past = [user("one"), first.message];
		const branches = await Promise.all(
			["left", "right"].map((side) => ask(gateway, [...past, user(side)], { stream: side === "left" })),
		);
		expect(branches.map(({ path }) => path)).toEqual(["checkpoint", "checkpoint"]);
		expect(branches.map(({ text }) => text)).toEqual(
			["left", "right"].map((side) => `user:one | assistant:${first.text} | user:${side}`),
		);
	});

	it("may have another agent read the whole conversation, calls included", async () => {
		const gateway = await startTestGateway({ emulator: { brain: goOrTell } });
		const main = await ask(gateway, [user("go")], { tools: STEP });
		const messages = [user("go"), main.message, result(main.calls[0]!, "r1")];
		const memory = await ask(gateway, [...messages, user("Note what matters.")], { tools: [tool("remember")] });
		expect(memory).toMatchObject({
			path: "rebuild",
			text: "user:go | assistant:<tool-call> | tool:r1 | user:Note what matters.",
		});
		// The conversation itself goes on, on whichever rung.
		const second = await ask(gateway, messages, { tools: STEP });
		const last = await ask(gateway, [...messages, second.message, result(second.calls[0]!, "r2")], { tools: STEP });
		expect(last.text).toBe("r1 r2");
	});
});

/** First, last, second, last but one, and so on. */
function interleaved<T>(list: readonly T[]): T[] {
	return list.map((_, index) => list[index % 2 === 0 ? index / 2 : list.length - (index + 1) / 2]!);
}
