// A11: what another user of the machine sees of a running gateway.
import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { closing } from "../kit/cleanup.ts";
import { say } from "../kit/hostile/rig.ts";
import { startProgram } from "../kit/program.ts";

const OWNER = 61_001;
const STRANGER = 61_002;
const SECRETS = { CURSOR_API_KEY: "key_canaryOfTheOwner0123456789", CURSORWIRE_KEY: "Zr7-canary_of+the.owner=0123" };

/** A folder that others may look into, as a home mostly is. */
function homeOf(uid: number): string {
	const home = mkdtempSync(join(tmpdir(), "cursorwire-home-"));
	onTestFinished(() => rmSync(home, { recursive: true, force: true }));
	mkdirSync(join(home, ".config"));
	for (const folder of [home, join(home, ".config")]) chownSync(folder, uid, uid);
	spawnSync("chmod", ["755", home]);
	return home;
}

function readAs(uid: number, ...paths: string[]) {
	const { stdout, status } = spawnSync("cat", paths, { uid, gid: uid, encoding: "utf8" });
	return { text: stdout, status };
}

it.runIf(process.platform === "linux" && process.getuid?.() === 0)(
	"A11: no file, no argument and no variable that holds a secret",
	async () => {
		const emulator = closing(await startEmulator({ brain: "echo" }));
		const home = homeOf(OWNER);
		const data = join(home, ".config", "cursorwire");
		const as = { uid: OWNER, gid: OWNER };
		for (const env of [SECRETS, { CURSOR_API_KEY: SECRETS.CURSOR_API_KEY }]) {
			const flags = ["serve", "--port", "0", "--json", "--upstream", emulator.url];
			const program = startProgram(flags, { HOME: home, ...env }, as);
			const { url, key, pid } = JSON.parse((await program.prints(/^\{.*\}$/m))[0]);
			const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
			const body = JSON.stringify(say("canaryPrompt"));
			expect((await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body })).status).toBe(200);

			const shown = readAs(STRANGER, `/proc/${pid}/cmdline`);
			expect(shown.text).toContain("serve");
			for (const secret of [...Object.values(SECRETS), key]) expect(shown.text).not.toContain(secret);
			expect(readAs(STRANGER, `/proc/${pid}/environ`)).toEqual({ text: "", status: 1 });
			// The owner can, so that it is not the test that cannot.
			expect(readAs(OWNER, `/proc/${pid}/environ`).text).toContain(SECRETS.CURSOR_API_KEY);
			// Each time: a later start closes what an earlier one has left open.
			expect(closedFiles(data)).toContain("cursorwire.db");
			program.child.kill("SIGTERM");
			await program.ended;
		}
		expect(closedFiles(data)).toEqual(expect.arrayContaining(["gateway-key", "cursorwire.db"]));
	},
);

/** Names of the files in a folder, none of which a stranger can read. */
function closedFiles(folder: string): string[] {
	expect(statSync(folder).mode & 0o777).toBe(0o700);
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	for (const { parentPath, name } of files) {
		const file = join(parentPath, name);
		expect(statSync(file).mode & 0o077, file).toBe(0);
		expect(readAs(STRANGER, file), file).toEqual({ text: "", status: 1 });
	}
	return files.map(({ name }) => name);
}
