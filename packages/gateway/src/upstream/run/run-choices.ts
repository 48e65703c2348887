import type { Spelling } from "../catalog/model.ts";
import type { CacheTokens } from "../protocols/agent/run-work.ts";
import type { SystemPromptChannel, ToolChannel } from "../protocols/driver.ts";

/** What a run does where servers differ: as the settings say, or as this server was found to be. */
export interface RunChoices {
	systemPrompt: SystemPromptChannel;
	toolChannel: ToolChannel;
	cacheTokens: CacheTokens;
	/** How variants of a model are named; undefined: whichever way needs no guess, then the other. */
	spelling: Spelling | undefined;
	/** Which of the two agent hosts serves an account in privacy mode. */
	privateHost: "agent" | "agentn";
	/** False: over HTTP/1.1 a stream falls silent behind the results of tools, so none is kept open for them. */
	waitsOverHttp1: boolean;
}

export const DEFAULT_CHOICES: RunChoices = {
	systemPrompt: "cloud-rule",
	toolChannel: "run-request",
	cacheTokens: "included",
	spelling: undefined,
	privateHost: "agent",
	waitsOverHttp1: true,
};
