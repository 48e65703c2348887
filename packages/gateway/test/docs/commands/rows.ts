// How each command is run. The first row that matches counts; a command without a row fails the test.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { EXIT_CODES } from "../../../src/cli/process/exit-codes.ts";
import { BLOCKS, read } from "./collect.ts";
import {
	connects,
	demoLeadsOn,
	disconnects,
	ends,
	follows,
	imports,
	isInFile,
	isScript,
	oneAtATime,
	pastesToken,
	type Run,
	serves,
	signsIn,
} from "./runs.ts";
import type { Place } from "./stage.ts";

export interface Row {
	match: RegExp;
	run: Run;
	/** Why it is not run as it is. */
	instead?: string;
}

/** The program's part of a command that goes through Docker, and the names that Docker is given. */
const inContainer: Run = async (stage, command) => {
	const { services } = parse(read("compose.yaml")!);
	expect(services).toHaveProperty("cursorwire");
	expect(read("Dockerfile")).toContain('ENTRYPOINT ["cursorwire"]');
	const inside = /^docker compose (?:exec cursorwire (.*)|run --rm (cursorwire .*))$/.exec(command);
	const typed = inside?.[1] ?? inside?.[2];
	if (typed !== undefined) await rowOf(typed)!.run(stage, typed);
};

const GLOBAL_TEST = "packages/gateway/test/pack/install-global.pack.ts";
const shared: Place = { withGateway: true };

const PROGRAM_ROWS: Row[] = [
	{ match: /^(npx )?cursorwire(-emulator)?\b.* --(help|version)$/, run: ends() },
	{ match: /^(npx )?cursorwire (demo|serve)\b/, run: serves("/healthz") },
	{
		match: /^npx cursorwire-emulator --brain/,
		run: async (stage, command) => {
			const { text } = BLOCKS.find((block) => block.text.startsWith("// my-brain.mjs"))!;
			writeFileSync(join(stage.folder, "my-brain.mjs"), text);
			await serves("/__emulator/stats", { inClone: false })(stage, command.replace("./my", `${stage.folder}/my`));
		},
	},
	{
		match: /^(npx )?cursorwire(-emulator| emulate)\b/,
		run: (stage, command) =>
			serves("/__emulator/stats")(stage, /--port/.test(command) ? command : `${command} --port 0`),
	},
	{ match: /^(npx )?cursorwire mcp\b/, run: ends({ input: "" }) },
	{ match: /^(npx )?cursorwire connect( sdk)?$/, run: ends(shared) },
	{ match: /^(npx )?cursorwire connect [\w-]+/, run: oneAtATime(connects) },
	{ match: /^(npx )?cursorwire disconnect\b/, run: disconnects },
	{ match: /^(npx )?cursorwire login --api-key$/, run: ends({ env: { CURSOR_API_KEY: "" }, input: "key_test\n" }) },
	{ match: /^(npx )?cursorwire login --session-token$/, run: pastesToken },
	{ match: /^(npx )?cursorwire login --import$/, run: imports },
	{ match: /^(npx )?cursorwire login( --no-browser)?$/, run: signsIn },
	{ match: /^(npx )?cursorwire logout$/, run: ends({ env: { CURSOR_API_KEY: "" } }) },
	{ match: /^(npx )?cursorwire calibrate .*--(dry-run|yes)/, run: ends() },
	{ match: /^(npx )?cursorwire calibrate\b/, run: ends({}, " --dry-run"), instead: "it asks before it spends turns" },
	{ match: /^(npx )?cursorwire doctor\b/, run: ends(shared) },
	{ match: /^(npx )?cursorwire service install --print$/, run: ends() },
	{
		match: /^(npx )?cursorwire service install$/,
		run: ends({}, " --print"),
		instead: "no service is installed by a test",
	},
	{ match: /^(npx )?cursorwire service status$/, run: ends({}, "", [EXIT_CODES.ok.code, EXIT_CODES.noGateway.code]) },
	{ match: /^(npx )?cursorwire service$/, run: ends({}, " --help"), instead: "it needs a command behind it" },
	{
		match: /^(npx )?cursorwire keys revoke laptop$/,
		run: (stage, command) => ends()(stage, `cursorwire keys add laptop && ${command}`),
	},
	{ match: /^(npx )?cursorwire (keys( show| list)?)$/, run: ends(shared) },
	{
		match: /^(npx )?cursorwire limits (raise|pause|resume|remove)\b/,
		run: ends({}, " --help"),
		instead: "it takes the id of a limit",
	},
	{ match: /^(npx )?cursorwire logs .*-f\b/, run: follows },
	{ match: /^(npx )?cursorwire (logs|top|open)\b/, run: ends(shared) },
	{
		match: /^(npx )?cursorwire config --schema > ~/,
		run: (stage, command) => ends()(stage, `mkdir -p ~/.config/cursorwire && ${command}`),
	},
	{
		match: /^(npx )?cursorwire completion$/,
		run: ends({}, " --help"),
		instead: "it needs a shell or a command behind it",
	},
	{ match: /^(npx )?cursorwire completion install\b/, run: ends({ env: { SHELL: "/bin/bash" } }) },
	{
		match: /^(npx )?cursorwire completion uninstall\b/,
		run: (stage, command) =>
			ends({ env: { SHELL: "/bin/bash" } })(stage, `cursorwire completion install && ${command}`),
	},
	{
		match: /^(npx )?cursorwire completion \w+ > /,
		run: async (stage, command) => {
			const file = join(stage.folder, "completions");
			await ends()(stage, command.replace(/ > .*/, ` > ${file} && test -s ${file}`));
		},
		instead: "where it is written to belongs to the shells of this machine",
	},
	{ match: /^(npx )?cursorwire [a-z]/, run: ends() },
];

const ROWS: Row[] = [
	{
		match: /^npx cursorwire@<version> demo$/,
		run: (stage) => serves("/healthz")(stage, "npx cursorwire demo"),
		instead: "it needs a release",
	},
	{ match: /^npx vitest run <files>$/, run: (stage) => ends()(stage, "npx vitest --version") },
	...PROGRAM_ROWS,
	{ match: /^npm start$/, run: (stage) => demoLeadsOn(stage, "npm start") },
	{
		match: /^npm install(?! -)( && npm test)?$|^npm test$|^node scripts\/install\.mjs$/,
		run: isInFile(".ci/run", "node scripts/install.mjs", "npm test"),
		instead: "it runs this very test; CI calls it",
	},
	{
		match: /^npm (run (un)?install:global|install --global|pack)\b/,
		run: isInFile(GLOBAL_TEST, "install:global", "uninstall:global", "--prefix"),
		instead: "npm run test:packages runs it, with a prefix of its own",
	},
	{
		match: /^npm run bench:emulator$/,
		run: ends({ inClone: true, env: { STREAMS: "20", HOLD: "1", TURNS: "20", CLIENTS: "2" } }),
	},
	{
		match: /^node --import tsx packages\/page\/dev\/serve\.ts$/,
		run: isInFile("packages/page/dev/serve.ts", "startFake"),
		instead: "it runs until it is stopped, on a port of its own; the tests of packages/page start its server",
	},
	{ match: /^npm run [\w:-]+/, run: isScript, instead: "it takes long, or changes this checkout" },
	{
		match: /^npm (ci|audit|publish)\b/,
		run: ends({ inClone: true }, " --help"),
		instead: "it belongs to a release, or would change this checkout",
	},
	{ match: /^node \S+cursorwire\.mjs --help$/, run: ends() },
	{ match: /^docker (compose|build|run)\b/, run: inContainer, instead: "there is no Docker in a test" },
	{
		match: /^opencode (auth (login|logout)|models cursor)$/,
		run: isInFile("packages/opencode/test/pack/opencode.pack.ts", '"auth", "login"', '"models", "cursor"'),
		instead: "npm run test:packages runs the real OpenCode",
	},
	{
		match: /^claude mcp add\b/,
		run: isInFile("packages/gateway/test/agents/mcp.agent.ts", '"mcp", "add", "--scope", "user", "cursorwire"'),
		instead: "npm run test:clients runs the real Claude Code",
	},
	{
		match: /^curl /,
		run: (stage, command) => {
			const typed = command.replaceAll("http://127.0.0.1:4280", stage.gateway.url);
			return ends({ env: { CURSORWIRE_KEY: stage.gateway.key } }, " --fail -s")(stage, typed);
		},
	},
	{
		match: /^openssl rand /,
		// Not every machine has it, and the gateway does not need it.
		run: (stage, command) => ends()(stage, `if command -v openssl; then ${command}; fi`),
	},
	{ match: /^(export|eval) /, run: ends(shared) },
];

export function rowOf(command: string): Row | undefined {
	return ROWS.find(({ match }) => match.test(command));
}
