// The owner ends a turn or a run that waits: the upstream run ends with it, the client is told, the ledger knows.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { type Fact, FactStream } from "../../src/observe/facts.ts";
import { openStore } from "../../src/store/open-store.ts";
import { until } from "../kit/cleanup.ts";
import { ask, result, steps, tool, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway } from "../kit/gateway.ts";

const hangs: Brain = async function* () {
	yield { text: "I begin" };
	yield { hang: "heartbeats" };
};

async function start(brain: Brain) {
	const facts = new FactStream();
	const told: Fact[] = [];
	facts.watch((fact) => told.push(fact));
	const rig = await startTestGateway({ emulator: { brain }, facts });
	const cancelled = () => rig.emulator.stats().runs.cancelled.length;
	return { ...rig, rig, told, cancelled };
}

const SENTENCE = "The owner of the gateway stopped this turn.";
const BODIES = {
	"/v1/chat/completions": { model: "composer-1", messages: [{ role: "user", content: "go" }] },
	"/v1/responses": { model: "composer-1", input: "go" },
	"/v1/messages": { model: "composer-1", max_tokens: 100, messages: [{ role: "user", content: "go" }] },
};

describe.each(Object.entries(BODIES))("a turn at %s that the owner stops", (path, body) => {
	it.each([true, false])("ends with an error, and so does its run (stream: %s)", async (stream) => {
		const { post, gateway, emulator, cancelled, told, dataDir } = await start(hangs);
		const answer = post(path, { ...body, stream });
		await until(() => emulator.stats().runs.started === 1 && told.some(({ type }) => type === "turn-step"));
		const { requestId } = told.find((fact) => fact.type === "turn-admitted")!;
		expect(gateway.stop(requestId)).toBe(true);
		const text = await (await answer).text();
		expect(text).toContain(SENTENCE);
		if (!stream) expect((await answer).status).toBe(403);
		await until(() => cancelled() === 1);
		expect(gateway.stop(requestId)).toBe(false);
		expect(told.filter(({ type }) => type === "turn-ended")).toEqual([
			expect.objectContaining({ status: 403, errorKind: "stopped" }),
		]);
		await gateway.close();
		const store = await openStore({ dataDir, warn: (message) => expect.fail(message) });
		const rows = await store.lastRequests(5).finally(() => store.close());
		expect(rows.map(({ errorKind }) => errorKind)).toEqual(["stopped"]);
	});
});

it("a run that waits ends when the owner stops it, and its results cost one more run", async () => {
	const { rig, gateway, cancelled, told } = await start(steps(1));
	const tools = [tool("step")];
	const first = await ask(rig, [user("go")], { tools });
	const parked = told.find((fact) => fact.type === "run-parked")!;
	expect(gateway.stop("run:unknown")).toBe(false);
	expect(gateway.stop(`run:${parked.runId}`)).toBe(true);
	expect(gateway.stop(`run:${parked.runId}`)).toBe(false);
	await until(() => cancelled() === 1);
	expect(told.findLast((fact) => fact.type === "run-unparked")).toMatchObject({ how: "gone" });
	await ask(rig, [user("go"), first.message, result(first.calls[0]!, "r1")], { tools });
	expect(told.findLast((fact) => fact.type === "turn-ended")).toMatchObject({
		path: "rebuild",
		reason: "the run was stopped",
	});
});
