// What Codex does only where its gateway is set up as `connect codex` does it: the catalogue, compaction, WebSockets.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CallResult } from "cursorwire-emulator";
import { beforeAll, describe, expect, test } from "vitest";
import type { Setup, Tools } from "./kit/agent.ts";
import { installAgent } from "./kit/install.ts";
import { PACKAGES } from "./kit/packages.ts";
import { openRig, type Rig, type RigOptions } from "./kit/rig.ts";

const exec = (cmd: string) => ({ name: "exec_command", arguments: { cmd } });
const SHELL: Tools = { read: (path) => exec(`cat ${path}`), write: (path) => exec(`touch ${path}`), run: exec };

interface Wishes {
	webSockets?: boolean;
	/** Codex compacts when a conversation has become so long. */
	compactAt?: number;
}

const setup = ({ webSockets = false, compactAt }: Wishes): Setup => ({
	api: "responses",
	model: "claude-4.6-opus",
	configure: ({ url, key, home }) => ({
		files: {
			[join(home, ".codex", "config.toml")]: `
				model = "claude-4.6-opus"
				model_provider = "cursorwire"
				approval_policy = "never"
				sandbox_mode = "danger-full-access"
				${compactAt === undefined ? "" : `model_auto_compact_token_limit = ${compactAt}`}

				[model_providers.cursorwire]
				name = "Cursorwire"
				base_url = "${url}/v1"
				model_catalog_url = "${url}/v1/models"
				experimental_bearer_token = "${key}"
				wire_api = "responses"
				supports_websockets = ${webSockets}
				capabilities = { remote_compaction = "v2" }

				[features]
				api_key_model_discovery = true

				[analytics]
				enabled = false
			`,
		},
	}),
	start: (prompt) => ["exec", "--skip-git-repo-check", prompt],
	resume: (prompt) => ["exec", "resume", "--last", "--skip-git-repo-check", prompt],
	tools: SHELL,
	serves: [],
	refused: { code: 1, tries: 1 },
});

let program: string[];
beforeAll(async () => {
	program = await installAgent(PACKAGES.codex);
});

const open = (wishes: Wishes, scripts: RigOptions["scripts"]): Promise<Rig> =>
	openRig({ program, setup: setup(wishes), settings: { http1: false }, scripts });

const WORD = "word-4f1d9c";

describe.each([
	{ way: "over HTTP", webSockets: false },
	{ way: "over a WebSocket", webSockets: true },
])("Codex, set up as `connect` does it, $way", ({ webSockets }) => {
	test("takes 50 tools as one upstream run, knows the model, and sends no history where it need not", async () => {
		const steps = process.env.CURSORWIRE_TEST_QUICK === "1" && !webSockets ? 3 : 50;
		const rig = await open(
			{ webSockets },
			{
				"Take many steps": () =>
					async function* () {
						for (let step = 0; step < steps; step++) {
							const [result]: CallResult[] = yield { calls: [exec(`echo step-${step}`)] };
							if (!result!.text.includes(`step-${step}`)) throw new Error(`step ${step}: ${result!.text}`);
						}
						yield { text: "All steps are taken." };
					},
			},
		);
		const { code, output } = await rig.start("Take many steps.");
		expect(output).toContain("All steps are taken.");
		expect(output).not.toContain("metadata");
		expect(code).toBe(0);
		expect(rig.emulator.stats().runs.started).toBe(1);
		expect(rig.answers.filter(({ path }) => path === "parked")).toHaveLength(steps);
		if (!webSockets) return;
		// None of the turns went over HTTP.
		expect(rig.exchanges.filter(({ path }) => path === "/v1/responses")).toEqual([]);
		// The first message holds the instructions, the second the prompt; every other one has a result and no history.
		const later = rig.sent.slice(2).map(({ body }) => body);
		expect(later.map(({ input }) => input.map(({ type }: { type: string }) => type))).toEqual(
			Array(steps).fill(["function_call_output"]),
		);
		expect(later.every(({ previous_response_id: id }) => id !== undefined)).toBe(true);
		const lengths = later.map(({ input }) => JSON.stringify(input).length);
		const total = rig.sent.map(({ bytes }) => bytes);
		console.log(
			`${total.length} messages of ${total.slice(0, 3)}… bytes; items of the later ones: at most ${Math.max(...lengths)}`,
		);
		expect(Math.max(...lengths)).toBeLessThan(1_000);
	});

	test("compacts a long conversation, and goes on knowing a word from before", async () => {
		const rig = await open(
			{ webSockets, compactAt: 20_000 },
			{
				"Which word was it": () =>
					async function* ({ messages }) {
						const known = /word-\w+/.exec(JSON.stringify(messages))?.[0];
						yield { text: `The word is ${known}.` };
					},
				"Remember the word": () =>
					async function* () {
						yield { text: `I will remember it. ${"And I have a lot to say about it. ".repeat(4_000)}` };
					},
			},
		);
		// The summary is written by the model, without tools.
		rig.model.summary = `The user wants ${WORD} to be remembered.`;
		expect(await rig.start(`Remember the word ${WORD}.`)).toMatchObject({ code: 0 });
		const { code, output } = await rig.resume("Which word was it?");
		expect(output).toContain(`The word is ${WORD}.`);
		expect(code).toBe(0);
		const bodies = [...rig.exchanges, ...rig.sent].map(({ body }) => JSON.stringify(body ?? ""));
		expect(bodies.filter((body) => body.includes('"compaction_trigger"'))).toHaveLength(1);
		expect(bodies.at(-1)).toContain('"type":"compaction"');
		expect(bodies.at(-1)).not.toContain("a lot to say");

		changeOneBit(join(rig.place.home, ".codex", "sessions"));
		const refused = await rig.resume("Which word was it?");
		expect(refused.output).toContain("cannot be read: it was changed, or another installation sealed it");
		expect(refused.code).toBe(1);
		const last = rig.exchanges.findLast(({ path }) => path === "/v1/responses");
		if (!webSockets) expect(last!.status).toBe(400);
	});

	test("compacts in the middle of a turn, and goes on with it", async () => {
		const rig = await open(
			{ webSockets, compactAt: 20_000 },
			{
				"Read everything": () =>
					async function* ({ messages }) {
						if (JSON.stringify(messages).includes("have been read")) {
							yield { text: "I go on from the summary." };
							return;
						}
						for (let part = 0; part < 9; part++)
							yield { calls: [exec(`yes part-${part} a-long-line-of-words-that-are-counted | head -n 1000`)] };
						yield { text: "There was no summary." };
					},
			},
		);
		rig.model.summary = "Some parts have been read.";
		const { code, output } = await rig.start("Read everything.");
		expect(output).toContain("I go on from the summary.");
		expect(code).toBe(0);
		// The run that waits is not asked for the summary: it would go on with its tools. It ends.
		expect(rig.answers.map(({ path }) => path)).toEqual(["new", "parked", "rebuild", "new"]);
		expect(rig.emulator.stats().streams.open).toBe(0);
	});
});

/** Changes the summary that Codex has kept of its conversation. */
function changeOneBit(sessions: string): void {
	const names = readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
	const sealed = /"encrypted_content":"(cws1_[\w-]+)"/g;
	let changed = 0;
	for (const file of names.map((name) => join(sessions, name))) {
		const text = readFileSync(file, "utf8").replaceAll(sealed, (whole, old: string) => {
			changed++;
			const bytes = Buffer.from(old.slice("cws1_".length), "base64url");
			bytes[bytes.length >> 1]! ^= 1;
			return whole.replace(old, `cws1_${bytes.toString("base64url")}`);
		});
		writeFileSync(file, text);
	}
	if (changed === 0) throw new Error("Codex has kept no summary");
}
