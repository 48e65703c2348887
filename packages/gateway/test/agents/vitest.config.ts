// The coding agents have a run of their own, `npm run test:clients`: they are large, fetched at need, and slow to start.
import { configDefaults, defineConfig } from "vitest/config";
import { longestFirst } from "../kit/longest-first.ts";
import { SKIPPED_FILES } from "../kit/skipped-files.ts";
import { INSTALL_LIMIT_MS } from "./kit/install.ts";

const LONGEST = ["opencode", "launch", "qwen", "connect", "cline", "continue", "codex", "claude-code"];

export default defineConfig({
	test: {
		include: ["packages/gateway/test/agents/*.agent.ts"],
		exclude: [...configDefaults.exclude, ...SKIPPED_FILES],
		globalSetup: ["packages/gateway/test/kit/bundled-program.ts"],
		// Every process an agent starts has a shorter limit of its own, which tells what it printed.
		testTimeout: 1_800_000,
		hookTimeout: INSTALL_LIMIT_MS,
		// Two cores on the smallest supported machine, and agents that wait a good part of their time.
		maxWorkers: 4,
		// Loading the program anew for each file took as long as some of the tests.
		isolate: false,
		sequence: { sequencer: longestFirst(LONGEST.map((name) => `agents/${name}.agent.ts`)) },
	},
});
