import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { Secret } from "../../src/credentials/secret.ts";
import { decodeCredential } from "../../src/credentials/vault/credential-text.ts";
import { authCalls, openRig, type Rig, sessionOf, works } from "../kit/credentials/rig.ts";
import type { Order, Outcome } from "./worker.ts";

const PROCESSES = 8;
/** Fifty before a release: CURSORWIRE_TEST_ROUNDS=50. */
const ROUNDS = Number(process.env.CURSORWIRE_TEST_ROUNDS ?? 20);
const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
const SINGLE_USE = {
	accounts: [{ id: "user_01DEMO", acceptAnyKey: true }],
	tokens: { singleUseRefresh: true },
};

async function startWorker(rig: Rig, dies = ""): Promise<ChildProcess> {
	const child = fork(WORKER, [rig.upstream, rig.dataDir, dies], { execArgv: ["--import", "tsx"] });
	onTestFinished(() => void child.kill("SIGKILL"));
	expect(await heard(child)).toBe("ready");
	return child;
}

function heard(child: ChildProcess): Promise<Outcome> {
	return new Promise((resolve, reject) => {
		const onExit = () => reject(new Error("the worker ended"));
		child.once("exit", onExit);
		child.once("message", (outcome) => {
			child.removeListener("exit", onExit);
			resolve(outcome as Outcome);
		});
	});
}

async function ask(child: ChildProcess, order: Order): Promise<string> {
	const outcome = heard(child);
	child.send(order);
	const answer = await outcome;
	if (typeof answer === "object" && "token" in answer) return answer.token;
	throw new Error(JSON.stringify(answer));
}

describe("processes that share a vault", () => {
	it(`K2: renew once for all ${PROCESSES} of them, ${ROUNDS} times, with refresh tokens for one use`, async () => {
		const rig = await openRig({ emulator: { accounts: SINGLE_USE } });
		await rig.keeper.save(await sessionOf(rig, "good"));
		const workers = await Promise.all(Array.from({ length: PROCESSES }, () => startWorker(rig)));
		let tokens = await Promise.all(workers.map((worker) => ask(worker, { do: "token" })));
		const before = authCalls(rig.emulator).refreshes;
		for (let round = 1; round <= ROUNDS; round++) {
			rig.emulator.expireTokens();
			tokens = await Promise.all(workers.map((worker, i) => ask(worker, { do: "refused", token: tokens[i]! })));
			expect(new Set(tokens).size).toBe(1);
			expect(authCalls(rig.emulator).refreshes - before).toBe(round);
		}
		expect(await works(rig.emulator, new Secret(tokens[0]!))).toBe(true);
		expect(rig.emulator.stats().auth.refused).toBe(0);
		expect(decodeCredential(rig.file()).revision).toBe(ROUNDS);
		expect(readdirSync(join(rig.dataDir, "credentials"))).toEqual(["cursor.json"]);
	});
});

describe("K4: a process that is killed between exchange and write", () => {
	it("leaves the old file, a lock that is taken over, and a reason", async () => {
		const rig = await openRig({ emulator: { accounts: SINGLE_USE } });
		await rig.keeper.save(await sessionOf(rig, "expired"));
		const before = rig.file();
		const doomed = await startWorker(rig, "before-commit");
		await expect(ask(doomed, { do: "token" })).rejects.toThrow("ended");
		expect(existsSync(join(rig.dataDir, "credentials", "lock"))).toBe(true);
		expect(rig.file()).toBe(before);

		// The new tokens are lost, and the refresh token was valid for one use: only the reason can be reported.
		const outcome = await rig
			.account()
			.token()
			.catch((error) => error);
		expect(outcome).toMatchObject({
			kind: "signed-out",
			detail: "An earlier renewal was interrupted before the new tokens were stored.",
		});
		expect(rig.file()).toBe(before);
		await rig.keeper.save(await sessionOf(rig, "good"));
		expect(await works(rig.emulator, await rig.account().token())).toBe(true);
		expect(readdirSync(join(rig.dataDir, "credentials"))).toEqual(["cursor.json"]);
	});

	it("does no harm if refresh tokens can be used again", async () => {
		const rig = await openRig();
		await rig.keeper.save(await sessionOf(rig, "expired"));
		const doomed = await startWorker(rig, "before-commit");
		await expect(ask(doomed, { do: "token" })).rejects.toThrow("ended");
		expect(await works(rig.emulator, await rig.account().token())).toBe(true);
	});
});
