// The gateway asks Cursor again by itself when a run breaks, but not for more than was allowed.
import type { Brain } from "cursorwire-emulator";
import { expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { ask, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";
import { addLimit } from "./books.ts";

const WORDS = "one two three four five six seven eight nine ten ";

/** One run waits and then breaks, once; meanwhile another one talks. */
async function breakWhileOthersTalk(limit: string) {
	const dataDir = temporaryFolder();
	await addLimit({ dataDir }, limit);
	let breakIt = () => {};
	const broken = new Promise<void>((resolve) => {
		breakIt = resolve;
	});
	let hasBroken = false;
	const brain: Brain = async function* ({ messages }) {
		if (JSON.stringify(messages).includes("talk")) yield { text: WORDS.repeat(1000) };
		else if (hasBroken) yield { text: "at last" };
		else {
			await broken;
			hasBroken = true;
			yield { error: { code: "unavailable" } };
		}
	};
	const gateway = await startTestGateway({ emulator: { brain }, settings: { dataDir } });
	const started = () => gateway.emulator.stats().runs.started;
	const waiting = ask(gateway, [user("wait")]);
	await until(() => started() === 1);
	const talked = await ask(gateway, [user("talk")]);
	breakIt();
	return { waited: await waiting, talked, started };
}

it("a run that breaks is asked for again within a limit", async () => {
	const { waited, talked, started } = await breakWhileOthersTalk("1M tokens/day");
	expect([talked.status, waited.status, waited.text, started()]).toEqual([200, 200, "at last", 3]);
});

it("where others have crossed the limit meanwhile, it is not", async () => {
	const { waited, talked, started } = await breakWhileOthersTalk("3000 tokens/day");
	expect([talked.status, waited.status, started()]).toEqual([402, 402, 2]);
	expect(waited.error?.message).toContain("The limit of 3000 tokens/day is reached: ");
	expect(waited.headers.get("x-should-retry")).toBe("false");
});
