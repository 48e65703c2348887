import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../../test/kit/cleanup.ts";
import type { RunPlan } from "../upstream/protocols/driver.ts";
import { FileRecorder } from "./file-recorder.ts";

it("stops decoding messages once a recording has reached its limit", async () => {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-recording-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const options = {
		folder,
		content: true,
		gatewayVersion: "1",
		now: Date.now,
		warn: (line: string) => expect.fail(line),
	};
	const plan = { runId: "run", model: { name: "model" } } as RunPlan;
	const tape = new FileRecorder({ ...options, longest: 400 }).begin(plan);
	let looks = 0;
	const message = new Proxy(new Uint8Array(0), {
		get(target, name) {
			looks += 1;
			return Reflect.get(target, name, target);
		},
	});
	tape.received(message);
	expect(looks).toBeGreaterThan(0);
	for (let lines = 0; lines < 10; lines++) tape.state("a state to fill the recording with");
	looks = 0;
	tape.received(message);
	expect(looks).toBe(0);
	tape.over("ended");
	const written = () =>
		readdirSync(folder)
			.map((name) => readFileSync(join(folder, name), "utf8"))
			.join("");
	await until(() => written().endsWith("\n"));
	expect(written().length).toBeLessThanOrEqual(400);
	expect(written().split("\n").length).toBeGreaterThan(4);
});
