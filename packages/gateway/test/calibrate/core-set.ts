// What a gateway has to do whatever the server is like: text, a tool, parallel tools, a second turn, an image.
import type { Emulator } from "cursorwire-emulator";
import pino from "pino";
import { expect } from "vitest";
import { startGateway } from "../../src/app/gateway.ts";
import type { Settings } from "../../src/config/settings.ts";
import { closing } from "../kit/cleanup.ts";
import type { Exchange } from "../prompts/client-request.ts";
import { chat, type Said, type Talk } from "../prompts/dialects.ts";
import { expectPromptsAsSent } from "../prompts/expect-prompts.ts";
import { RED } from "../prompts/pictures.ts";

const SYSTEM = ["You look at things.", "You tell what they are."];
const tool = (name: string) => ({ name, description: `The tool ${name}.`, schema: { type: "object", properties: {} } });
const user = (...parts: Extract<Said, { role: "user" }>["parts"]): Said => ({ role: "user", parts });
const CALL = "Call every tool you have, please.";

/** Everything passes, and the model reads every text exactly once. */
export async function expectCoreSet(emulator: Emulator, settings: Settings): Promise<void> {
	const gateway = closing(
		await startGateway(settings, {
			version: "test",
			runLimits: { backoffMs: 5, graceMs: 20, silenceMs: 10_000, heartbeatsOnlyMs: 10_000 },
			log: pino({ level: "silent" }),
		}),
	);
	emulator.clearPrompts();
	const exchanges: Exchange[] = [];
	const ask = async (talk: Talk, model = "composer-1") => {
		const body = { ...chat.body(talk), model };
		const response = await fetch(gateway.url + chat.path, {
			method: "POST",
			headers: { authorization: `Bearer ${gateway.key!.key}`, "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		const answer = await response.text();
		exchanges.push({ path: chat.path, body, status: response.status, answer });
		expect([response.status, response.status === 200 ? "" : answer]).toEqual([200, ""]);
		return chat.answer(JSON.parse(answer));
	};

	const hello: Said[] = [user("Hello there, what do you see?")];
	const greeting = await ask({ system: SYSTEM, said: hello }, "composer-2.5-fast");
	expect(greeting.parts.join("")).not.toBe("");

	for (const names of [["look"], ["look", "listen"]]) {
		const tools = names.map(tool);
		const said: Said[] = [user(CALL)];
		const called = await ask({ system: SYSTEM, said, tools });
		expect(called.calls!.map(({ name }) => name).sort()).toEqual([...names].sort());
		said.push(called);
		for (const { id, name } of called.calls!) said.push({ role: "tool", id, parts: [`The result of ${name}.`] });
		const answer = await ask({ system: SYSTEM, said, tools });
		expect(answer.calls).toEqual([]);
		said.push(answer, user("And what was that, in your own words?"));
		await ask({ system: SYSTEM, said, tools });
	}

	const seen = await ask({ system: SYSTEM, said: [user("What is on this picture?", RED)] });
	expect(seen.parts.join("")).toContain("1 image(s)");
	expectPromptsAsSent(emulator, exchanges);
	await gateway.close();
}
