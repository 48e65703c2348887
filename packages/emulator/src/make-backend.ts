import { readFileSync } from "node:fs";
import { DEFAULT_ACCOUNTS, parseAccountFile } from "./accounts/account.ts";
import { Directory } from "./accounts/directory.ts";
import type { Backend } from "./backend.ts";
import { AppendInboxes } from "./bidi/append-inboxes.ts";
import { loadBrain } from "./brains/load.ts";
import { RequestLog } from "./control/request-log.ts";
import { Stats } from "./control/stats.ts";
import { FaultPlan } from "./faults/plan.ts";
import type { EmulatorOptions } from "./options.ts";
import { PromptLog } from "./prompts/prompt-log.ts";
import { readRecordings } from "./replay/recording.ts";
import { Replay } from "./replay/replay.ts";
import { Switches } from "./switches.ts";
import { Bills } from "./token-usage/bill.ts";
import { ContextUsages } from "./token-usage/context-usage.ts";

const MOST_PROMPTS = 50;
const PROMPT_CHARACTERS = 16 << 20;
const MOST_CONVERSATIONS = 1000;

/** Puts together everything that the handlers share. Throws one line that says which option is wrong. */
export async function makeBackend(options: EmulatorOptions): Promise<Backend> {
	const folder = options.folder ?? process.cwd();
	const brain = typeof options.brain === "function" ? options.brain : undefined;
	const now = Date.now;
	const requestLog = options.requestLog ?? 200;
	return {
		brain: brain ?? (await loadBrain((options.brain as string | undefined) ?? "demo", folder, options.relayKey)),
		directory: new Directory(readAccounts(options.accounts), now),
		switches: new Switches(options.switches),
		faults: new FaultPlan(options.faults),
		stats: new Stats(),
		log: new RequestLog(requestLog),
		promptLog: new PromptLog({
			prompts: Math.min(requestLog, MOST_PROMPTS),
			characters: PROMPT_CHARACTERS,
			now,
			print: options.onPrompt,
		}),
		bills: new Bills(requestLog),
		contextUsages: new ContextUsages(MOST_CONVERSATIONS),
		inboxes: new AppendInboxes(),
		replay: options.replay === undefined ? undefined : new Replay(readRecordings(options.replay)),
		strict: options.strict ?? false,
		autoApprove: options.autoApprove ?? false,
		gzipFrom: options.gzipFrom ?? Number.POSITIVE_INFINITY,
		heartbeatMs: options.heartbeatMs ?? 5000,
		urls: { main: "", agent: "", agentn: "" },
		separateAgentHosts: false,
		now,
		report: options.report ?? (() => {}),
	};
}

function readAccounts(accounts: EmulatorOptions["accounts"]) {
	if (typeof accounts !== "string") return parseAccountFile(accounts ?? DEFAULT_ACCOUNTS, "accounts");
	let text: string;
	try {
		text = readFileSync(accounts, "utf8");
	} catch (error) {
		throw new Error(`account file ${accounts} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
	}
	try {
		return parseAccountFile(JSON.parse(text), accounts);
	} catch (error) {
		throw error instanceof SyntaxError ? new Error(`${accounts}: not JSON: ${error.message}`) : error;
	}
}
