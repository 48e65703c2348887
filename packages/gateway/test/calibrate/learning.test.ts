import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { AnswerFile } from "../../src/calibrate/answer-file.ts";
import { REREAD_MS } from "../../src/calibrate/learner.ts";
import { ownAccountKey } from "../../src/calibrate/own-account.ts";
import { startTestGateway, type TestGatewayOptions } from "../kit/gateway.ts";

const TOOL = { type: "function", function: { name: "look", parameters: { type: "object", properties: {} } } };

const SMALL_WINDOW = {
	accounts: [{ id: "user_1", acceptAnyKey: true }],
	models: [{ id: "composer-1", displayName: "Composer 1", pool: "auto" as const, contextTokens: 300 }],
};

async function start(options: TestGatewayOptions = {}) {
	const rig = await startTestGateway({ ...options, emulator: { brain: "demo", ...options.emulator } });
	const account = ownAccountKey({ apiKey: "key_test" });
	const file = new AnswerFile(rig.dataDir, rig.emulator.url);
	// biome-ignore lint/suspicious/noExplicitAny: an answer of the API, read field by field
	const ask = async (body: object): Promise<any> => {
		const response = await rig.post("/v1/chat/completions", { model: "composer-1", ...body });
		return { status: response.status, ...((await response.json()) as object) };
	};
	const callTools = async () => {
		const messages: object[] = [{ role: "user", content: "Call every tool you have." }];
		const { choices } = await ask({ messages, tools: [TOOL] });
		const { message } = choices[0];
		const results = message.tool_calls.map(({ id }: { id: string }) => ({
			role: "tool",
			tool_call_id: id,
			content: "A tree.",
		}));
		return ask({ messages: [...messages, message, ...results], tools: [TOOL] });
	};
	const known = () => {
		const entries = Object.entries(file.read(account)?.answers ?? {});
		return Object.fromEntries(entries.map(([id, answer]) => [id, answer.value]));
	};
	const dropped = () => file.read(account)?.dropped ?? {};
	return { ...rig, file, account, ask, callTools, known, dropped };
}

const say = (content: string) => ({ messages: [{ role: "user", content }] });

describe("a gateway learns from ordinary traffic", () => {
	it("what frames show of the server", async () => {
		const { callTools, known } = await start({
			emulator: {
				switches: [
					"tool-call-order=started-only",
					"tool-requests-listed=absent",
					"last-checkpoint=before-turn-ended",
					"usage=at-end",
					"request-context=ask",
					"enveloped-unary=on",
					"pending-tool-calls=sent",
					"step-updates=both",
				],
			},
		});
		await callTools();
		expect(known()).toEqual({
			"agent-service": "on",
			"client-version": "any",
			"enveloped-unary": "on",
			"last-checkpoint": "before-turn-ended",
			"pending-tool-calls": "sent",
			"request-context": "ask",
			"step-updates": "both",
			"tool-call-order": "started-only",
			"tool-requests-listed": "absent",
			usage: "at-end",
		});
	});

	it.each([["compacted"], ["refused"]])("what a conversation gets that is too long: %s", async (value) => {
		const { ask, known } = await start({
			emulator: { accounts: SMALL_WINDOW, switches: [`long-conversation=${value}`] },
		});
		const messages = [
			{ role: "user", content: `My dog is Rex. ${"And so on. ".repeat(300)}` },
			{ role: "assistant", content: "Good." },
			{ role: "user", content: "And now?" },
		];
		await ask({ messages });
		expect(known()["long-conversation"]).toBe(value);
	});

	it.each([
		["any", ["unknown-query@frame:2"]],
		["strict", ["unknown-query@frame:2", "error=ERROR_BAD_REQUEST@frame:3"]],
	])("what an empty answer to an unknown question does: %s", async (value, faults) => {
		const { ask, known } = await start({ emulator: { faults } });
		await ask(say("Hello"));
		expect(known()["unknown-query-answer"]).toBe(value);
	});

	it("that a stream over HTTP/1.1 falls silent behind a tool, and does not wait for it again", async () => {
		const { callTools, known, emulator } = await start({
			emulator: { switches: ["sse-after-tool=silent"] },
			settings: { http1: true },
			limits: { silenceMs: 800, heartbeatsOnlyMs: 800 },
		});
		expect((await callTools()).status).toBe(200);
		expect(known()["sse-after-tool"]).toBe("silent");
		expect(emulator.stats().runs.resumedByToolResult).toBe(1);
		const answer = await callTools();
		expect([answer.status, answer.choices?.[0].finish_reason]).toEqual([200, "stop"]);
		expect(emulator.stats().runs.resumedByToolResult).toBe(1);
	});

	it("which protocols are served, and what the older one does", async () => {
		const { ask, callTools, known } = await start({
			emulator: { switches: ["agent-service=unimplemented", "chat-arguments=streamed"] },
		});
		await ask(say("Hello"));
		await callTools();
		expect(known()).toMatchObject({
			"agent-service": "unimplemented",
			"chat-arguments": "streamed",
			"chat-tool-calls": "asked",
		});
	});
});

describe("a gateway that runs", () => {
	it("goes by a new answer with the next request", async () => {
		const { ask, file, account, emulator } = await start({ emulator: { switches: ["system-prompt=root"] } });
		const body = { messages: [{ role: "system", content: "Be brief, whatever comes." }, ...say("Hello").messages] };
		await ask(body);
		expect(emulator.prompts().at(-1)?.system).toEqual([]);
		const known = file.read(account)!;
		const answer = { value: "root", sure: "certain", from: "calibrate", at: new Date().toISOString() } as const;
		file.write(account, { ...known, answers: { ...known.answers, "system-prompt": answer } });
		await ask(body);
		expect(emulator.prompts().at(-1)?.system).toMatchObject([
			{ channel: "root_prompt_messages", text: "Be brief, whatever comes." },
		]);
	});

	it("drops an answer that its turns contradict", async () => {
		const { callTools, file, account, known, dropped } = await start();
		await callTools();
		const answer = { value: "started-only", sure: "certain", from: "calibrate", at: new Date().toISOString() } as const;
		const before = file.read(account)!;
		file.write(account, { ...before, answers: { ...before.answers, "tool-call-order": answer } });
		await sleep(REREAD_MS);
		await callTools();
		expect(known()["tool-call-order"]).toBe("partial-first");
		expect(dropped()["tool-call-order"]).toMatchObject({ value: "started-only", shown: "partial-first" });
	});

	it("drops the place of tools when no tool of it is ever offered", async () => {
		const { ask, file, account, known, dropped } = await start({ emulator: { switches: ["tools-from=run-request"] } });
		await ask(say("Hello"));
		const answer = {
			value: "request-context",
			sure: "likely",
			from: "calibrate",
			at: new Date().toISOString(),
		} as const;
		const before = file.read(account)!;
		file.write(account, { ...before, answers: { ...before.answers, "tools-from": answer } });
		await sleep(REREAD_MS);
		const forced = { ...say("Call every tool you have."), tools: [TOOL], tool_choice: "required" };
		for (let turn = 0; turn < 2; turn++) await ask(forced);
		expect(dropped()["tools-from"]).toMatchObject({ value: "request-context" });
		expect(known()).not.toHaveProperty("tools-from");
		expect((await ask(forced)).choices[0].finish_reason).toBe("tool_calls");
	});
});
