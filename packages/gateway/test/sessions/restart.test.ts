// The gateway goes and comes back: nothing that a client holds is lost.
import { type Emulator, startEmulator } from "cursorwire-emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { ask, type Message, result, runsOf, steps, tool, transcript, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { startProgram, temporaryFolder } from "../kit/program.ts";

const STEP = [tool("step")];

describe("after a restart", () => {
	it("a new message goes on by checkpoint, and only it travels", async () => {
		const before = await startTestGateway({ emulator: { brain: transcript } });
		const first = await ask(before, [user("one")]);
		await before.gateway.close();
		const after = await startTestGateway({ settings: { dataDir: before.dataDir, upstream: before.emulator.url } });
		expect(after.key).toBe(before.key);
		const second = await ask(after, [user("one"), first.message, user("two")]);
		expect(second).toMatchObject({
			path: "checkpoint",
			session: first.session,
			text: `user:one | assistant:${first.text} | user:two`,
		});
		expect(runsOf(before.emulator).map(({ newest }) => newest)).toEqual(["one", "two"]);
		expect(before.emulator.stats().blobs.missing).toBe(0);
	});

	it("results go on by rebuild, in a run that waits again", async () => {
		const before = await startTestGateway({ emulator: { brain: steps(3) } });
		const messages: Message[] = [user("go")];
		for (let n = 1; n <= 2; n++) {
			const { message, calls } = await ask(before, messages, { tools: STEP });
			messages.push(message, result(calls[0]!, `r${n}`));
		}
		await before.gateway.close();
		const after = await startTestGateway({ settings: { dataDir: before.dataDir, upstream: before.emulator.url } });
		const third = await ask(after, messages, { tools: STEP });
		expect(third).toMatchObject({ status: 200, path: "rebuild" });
		messages.push(third.message, result(third.calls[0]!, "r3"));
		expect(await ask(after, messages, { tools: STEP })).toMatchObject({ path: "parked", text: "r1 r2 r3" });
		expect(before.emulator.stats().runs).toMatchObject({ started: 2, resumed: 1 });
	});
});

describe("S7: after kill -9 with a hundred runs that wait", () => {
	it("all results are answered, and the files are whole", async () => {
		const emulator = await startEmulator({ brain: steps(1), requestLog: 0 });
		onTestFinished(() => emulator.close());
		const dataDir = temporaryFolder();
		// Four callers, as one of them may have 32 runs that wait.
		const keys = ["key_a", "key_b", "key_c", "key_d"];
		const first = await serve(emulator, dataDir);
		const windows = await Promise.all(
			Array.from({ length: 100 }, async (_, index) => {
				const key = keys[index % keys.length]!;
				const { message, calls } = await ask(first, [user("go")], { key, tools: STEP });
				return { key, text: `r${index}`, messages: [user("go"), message, result(calls[0]!, `r${index}`)] };
			}),
		);
		expect(emulator.stats().streams.open).toBe(100);
		first.child.kill("SIGKILL");
		await first.ended;

		const second = await serve(emulator, dataDir);
		const answers = await Promise.all(windows.map(({ key, messages }) => ask(second, messages, { key, tools: STEP })));
		for (const [index, { status, path, text }] of answers.entries()) {
			expect({ status, path, text }).toEqual({ status: 200, path: "rebuild", text: windows[index]!.text });
		}
		second.child.kill("SIGTERM");
		expect((await second.ended).code).toBe(0);

		const complaints: string[] = [];
		const store = await openStore({ dataDir, warn: (message) => complaints.push(message) });
		const rows = await store.lastRequests(1_000);
		await store.close();
		expect(complaints).toEqual([]);
		// Rows of the first life may be lost with it; none may be there twice.
		const rebuilt = rows.filter(({ path }) => path === "rebuild");
		expect(rebuilt).toHaveLength(100);
		expect(rows.filter(({ path }) => path === "new").length).toBeLessThanOrEqual(100);
	});
});

/** The gateway in a process of its own. */
async function serve(emulator: Emulator, dataDir: string) {
	const program = startProgram(["serve", "--port", "0", "--json", "--log-level", "silent"], {
		CURSORWIRE_UPSTREAM: emulator.url,
		CURSORWIRE_DATA_DIR: dataDir,
		CURSOR_API_KEY: "key_test",
		CURSORWIRE_ACCEPT_CURSOR_CREDENTIALS: "1",
	});
	const [line] = await program.prints(/^\{.*\}$/m);
	const { url, key } = JSON.parse(line) as { url: string; key: string };
	return { ...program, url, key };
}
