// The port is open before the Cursor side is loaded. The CA file is a pipe here: the Cursor side waits until something
// is written into it.
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { rootCertificates } from "node:tls";
import { startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { EXIT_CODES } from "../../src/cli/process/exit-codes.ts";
import { startProgram, temporaryFolder } from "../kit/program.ts";

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** A program that serves on `url`, and the pipe that its Cursor side waits for. */
async function startHeld() {
	const emulator = await startEmulator();
	onTestFinished(() => emulator.close());
	const dataDir = temporaryFolder();
	const pipe = join(temporaryFolder(), "ca.pem");
	execFileSync("mkfifo", [pipe]);
	const port = await freePort();
	const args = ["serve", "--port", String(port), "--no-auth", "--upstream", emulator.url, "--data-dir", dataDir];
	const program = startProgram(args, { CURSOR_API_KEY: "key_test", CURSORWIRE_CA_FILE: pipe });
	let hasPrinted = false;
	program.child.stdout?.once("data", () => {
		hasPrinted = true;
	});
	return { program, pipe, url: `http://127.0.0.1:${port}`, hasPrinted: () => hasPrinted };
}

/** Resolves when the program answers what needs no Cursor side. */
async function answers(url: string, ended: Promise<unknown>): Promise<void> {
	let hasEnded = false;
	void ended.then(() => {
		hasEnded = true;
	});
	while (!hasEnded) {
		const response = await fetch(`${url}/healthz`).catch(() => undefined);
		if (response?.ok) return;
		await sleep(20);
	}
	throw new Error("it ended");
}

it("a request that comes before the Cursor side is loaded waits for it", async () => {
	const { program, pipe, url, hasPrinted } = await startHeld();
	await answers(url, program.ended);
	const models = fetch(`${url}/v1/models`);
	await fetch(`${url}/healthz`);
	expect(hasPrinted()).toBe(false);
	await writeFile(pipe, rootCertificates[0]!);
	expect((await models).status).toBe(200);
	await program.prints(/Cursorwire at /);
});

it("a setting that the Cursor side cannot use ends the program before it says that it listens", async () => {
	const { program, pipe, url } = await startHeld();
	await answers(url, program.ended);
	const models = fetch(`${url}/v1/models`).then(
		() => "answered",
		() => "cut off",
	);
	await fetch(`${url}/healthz`);
	await writeFile(pipe, "no certificate");
	expect(await program.ended).toMatchObject({
		code: EXIT_CODES.usage.code,
		out: "",
		err: expect.stringContaining("holds no PEM certificate"),
	});
	expect(await models).toBe("cut off");
});
