// The coding agents have a run of their own, `npm run test:clients`: they are large, fetched at need, and slow to start.
import { basename } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { INSTALL_LIMIT_MS } from "./kit/install.ts";

/** The longest first, so that no core is idle at the end; what is not here comes after. */
const LONGEST_FIRST = ["opencode", "qwen", "cline", "connect", "continue", "claude-code", "codex"];

class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const rank = ({ moduleId }: TestSpecification) => {
			const place = LONGEST_FIRST.indexOf(basename(moduleId, ".agent.ts"));
			return place < 0 ? LONGEST_FIRST.length : place;
		};
		return [...files].sort((one, other) => rank(one) - rank(other));
	}
}

export default defineConfig({
	test: {
		include: ["packages/gateway/test/agents/*.agent.ts"],
		// Every process an agent starts has a shorter limit of its own, which tells what it printed.
		testTimeout: 300_000,
		hookTimeout: INSTALL_LIMIT_MS,
		maxWorkers: 2,
		sequence: { sequencer: LongestFirst },
	},
});
