// The soak of `npm run soak`, short enough for every run of the tests.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const SOAK = fileURLToPath(new URL("../../../../bench/soak.mjs", import.meta.url));

it("L7: a short soak of mixed load has no wrong answer and leaves nothing behind", async () => {
	const soak = spawn(process.execPath, [SOAK, "--seconds", "15", "--clients", "8"]);
	// It ends the processes that it started.
	onTestFinished(() => void soak.kill("SIGTERM"));
	let said = "";
	for (const stream of [soak.stdout, soak.stderr]) stream.on("data", (chunk) => (said += chunk));
	const [code] = await once(soak, "exit");
	expect(said).toMatch(/^start .*upstream streams 0/m);
	expect(said).toMatch(/^end .*upstream streams 0/m);
	expect(said).toMatch(/^\d{2,} acts, 0 wrong/m);
	expect({ code, said }).toMatchObject({ code: 0 });
});
