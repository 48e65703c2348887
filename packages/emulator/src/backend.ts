import type { Directory } from "./accounts/directory.ts";
import type { AppendInboxes } from "./bidi/append-inboxes.ts";
import type { Brain } from "./brains/brain.ts";
import type { RequestLog } from "./control/request-log.ts";
import type { Stats } from "./control/stats.ts";
import type { FaultPlan } from "./faults/plan.ts";
import type { PromptLog } from "./prompts/prompt-log.ts";
import type { Replay } from "./replay/replay.ts";
import type { Switches } from "./switches.ts";
import type { Bills } from "./token-usage/bill.ts";
import type { ContextUsages } from "./token-usage/context-usage.ts";

/** Everything that the handlers share. Made once, in make-backend.ts. */
export interface Backend {
	brain: Brain;
	directory: Directory;
	switches: Switches;
	faults: FaultPlan;
	stats: Stats;
	log: RequestLog;
	/** The newest prompts as the model would read them. */
	promptLog: PromptLog;
	/** What runs cost, by the emulator's own count. */
	bills: Bills;
	/** What filled the window in the last turn of each conversation. */
	contextUsages: ContextUsages;
	inboxes: AppendInboxes;
	/** Recorded runs, which are played in place of the brain. */
	replay: Replay | undefined;
	/** Refuse what Cursor's own backend would not accept. */
	strict: boolean;
	autoApprove: boolean;
	gzipFrom: number;
	heartbeatMs: number;
	/** Base URLs of the listeners, filled in once they are up. */
	urls: { main: string; agent: string; agentn: string };
	/** Only the agent hosts serve runs. */
	separateAgentHosts: boolean;
	now(): number;
	/** One line for the person at the terminal. */
	report(line: string): void;
}
