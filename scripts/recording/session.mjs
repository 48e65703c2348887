// The session that README.md shows: `npm start` in one terminal, and Claude Code at work through it in another.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { installAgent } from "../../packages/gateway/test/agents/kit/install.ts";
import { PACKAGES } from "../../packages/gateway/test/agents/kit/packages.ts";
import { openTerminal } from "./terminal.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const TABS = ["npm start", "Claude Code"];
// The shell that `script` starts in between would set a prompt of its own.
const SHELL = "env 'PS1=$ ' bash --norc --noprofile";
const TO_READ_MS = 1_500;
const AT_PROMPT = /\n\$\s*$/;

/** Runs it and returns everything that was on the screens, and the last screen as text. */
export async function recordSession({ port = "4280" } = {}) {
	const home = mkdtempSync(join(tmpdir(), "cursorwire-recording-"));
	const frames = [];
	const [claude] = await installAgent(PACKAGES.claudeCode);
	const env = environment(home, port, dirname(claude));
	prepareHome(home);
	const open = (tab) => openTerminal(SHELL, { cwd: ROOT, env, tab, frames });
	const gateway = open(0);
	let client;
	try {
		await startDemo(gateway);
		gateway.leave();
		client = open(1);
		await work(client);
		return { frames, text: client.text() };
	} finally {
		await client?.close();
		await gateway.close();
		rmSync(home, { recursive: true, force: true, maxRetries: 5 });
	}
}

async function startDemo(terminal) {
	await terminal.until(/\$/);
	await terminal.type("npm start\r");
	await terminal.until(/Ctrl-C/);
}

async function work(terminal) {
	await terminal.until(/\$/);
	await terminal.type("npx cursorwire connect claude-code --yes\r");
	await terminal.until(AT_PROMPT);
	await pause(TO_READ_MS);
	await terminal.type("clear; cd ~/project; claude\r");
	await terminal.until(/accept edits on/);
	await terminal.type("Write `console.log(6 * 7)` to answer.mjs");
	await terminal.type("\r");
	await terminal.until(/✻ .+ for \d+s/);
	await terminal.type("Now run `node answer.mjs`");
	await terminal.type("\r");
	await terminal.until(/says: 42[\s\S]*✻ .+ for \d+s/);
}

/** Nothing of this machine's user; whatever is not on this machine is refused. */
function environment(home, port, programs) {
	const nowhere = "http://127.0.0.1:9";
	return {
		PATH: [programs, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
		HOME: home,
		LANG: "C.UTF-8",
		TERM: "xterm-256color",
		COLORTERM: "truecolor",
		SHELL: "/bin/bash",
		CURSORWIRE_PORT: port,
		npm_config_update_notifier: "false",
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
		DISABLE_AUTOUPDATER: "1",
		HTTPS_PROXY: nowhere,
		HTTP_PROXY: nowhere,
		NO_PROXY: "127.0.0.1,localhost",
	};
}

/** As after the first start: Claude Code has been introduced and trusts the folder, and the gateway has a key. */
function prepareHome(home) {
	const project = join(home, "project");
	const data = join(home, ".config", "cursorwire");
	mkdirSync(join(project, ".claude"), { recursive: true });
	mkdirSync(data, { recursive: true, mode: 0o700 });
	writeFileSync(join(data, "gateway-key"), `cw_${"made-up-for-this-recording".padEnd(43, "0")}\n`, { mode: 0o600 });
	const introduced = { hasCompletedOnboarding: true, theme: "dark" };
	const trusted = { projects: { [project]: { hasTrustDialogAccepted: true } } };
	writeFileSync(join(home, ".claude.json"), JSON.stringify({ ...introduced, ...trusted }));
	const permissions = { defaultMode: "acceptEdits", allow: ["Bash(node:*)"] };
	writeFileSync(join(project, ".claude", "settings.json"), JSON.stringify({ permissions }));
}
