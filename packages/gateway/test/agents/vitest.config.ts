// The coding agents have a run of their own, `npm run test:clients`: they are large, fetched at need, and slow to start.
import { configDefaults, defineConfig } from "vitest/config";
import { longestFirst } from "../kit/longest-first.ts";
import { SKIPPED_FILES } from "../kit/skipped-files.ts";
import { INSTALL_LIMIT_MS } from "./kit/install.ts";

const LONGEST = ["opencode", "qwen", "cline", "connect", "continue", "claude-code", "codex"];

export default defineConfig({
	test: {
		include: ["packages/gateway/test/agents/*.agent.ts"],
		exclude: [...configDefaults.exclude, ...SKIPPED_FILES],
		// Every process an agent starts has a shorter limit of its own, which tells what it printed.
		testTimeout: 1_800_000,
		hookTimeout: INSTALL_LIMIT_MS,
		// Agents wait for their own start-up a good part of the time.
		maxWorkers: 3,
		sequence: { sequencer: longestFirst(LONGEST.map((name) => `agents/${name}.agent.ts`)) },
	},
});
