import { startEmulator } from "cursorwire-emulator";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";

/** Printed at collections of the young generation, while V8 counts which objects live long. */
const COUNTED = /^.*\bpretenuring: .*$/gm;
const TURNS = 600;

test("V8 counts no longer which objects of a gateway live long, once it listens", async () => {
	const emulator = await startEmulator();
	onTestFinished(() => emulator.close());
	const gateway = await serve({
		upstream: emulator.url,
		dataDir: temporaryFolder(),
		flags: ["--log-level", "silent"],
		nodeFlags: ["--trace-pretenuring-statistics"],
	});
	for (let turn = 0; turn < TURNS; turn++) {
		const response = await gateway.ask({ model: "composer-1", messages: [{ role: "user", content: "hello" }] });
		await response.text();
		expect(response.status).toBe(200);
	}
	gateway.program.child.kill("SIGTERM");
	const { out } = await gateway.program.ended;
	const [before, after] = out.split(/^\{.*\}$/m);
	expect(before).toMatch(COUNTED);
	expect(after?.match(COUNTED)).toBeNull();
});
