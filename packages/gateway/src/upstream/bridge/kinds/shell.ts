import {
	type BackgroundShellSpawnArgs,
	type PiBashExecArgs,
	ShellAbortReason,
	type ShellArgs,
	ShellBackgroundReason,
	TimeoutBehavior,
} from "@cursorwire/protocol/agent";
import type { Ask, BridgedKind, Plan } from "../exec-kind.ts";
import { command, duration, flag, must, spare, text, type Wish, want } from "../match/wish.ts";
import type { AnswerValue, ExecAnswerInit, ToolOutcome } from "../outcome.ts";
import { isRejection } from "../text/failure.ts";
import { processIdIn, shellIdIn, shellOutputOf } from "../text/shell-output.ts";
import { BACKGROUND, COMMAND, DESCRIPTION, TIMEOUT, WORKING_DIRECTORY } from "./parameter-names.ts";

interface ShellRequest {
	command: string;
	workingDirectory?: string;
	description?: string;
	timeoutMs?: number;
	background?: boolean;
}

/** `shell`: a single typed result. */
export const SHELL: BridgedKind<ShellArgs> = shellKind((value) => ({ case: "shellResult", value }));

/** The same request from another harness. */
export const MINI_SWE_BASH: BridgedKind<ShellArgs> = shellKind((value) => ({
	case: "miniSweAgentBashResult",
	value,
}));

/** `shell_stream`: events, one per message. A `shell_result` would leave the server waiting. */
export const SHELL_STREAM: BridgedKind<ShellArgs> = {
	plan: (args) => plan(requestOf(args), (outcome) => streamed(args, outcome)),
	refuse: (args, reason) => [event({ case: "rejected", value: { ...whereOf(args), reason } })],
};

export const PI_BASH: BridgedKind<PiBashExecArgs> = {
	plan: (args) =>
		plan({ command: args.command, timeoutMs: (args.timeout ?? 0) * 1000 }, (outcome) => {
			const { exitCode } = shellOutputOf(outcome);
			return exitCode === 0 ? piBash({ case: "success", value: { output: outcome.text } }) : piFailed(outcome.text);
		}),
	refuse: (_args, reason) => piFailed(reason),
};

/** Only tools that can leave a command running qualify, because a foreground call would block the turn. */
export const BACKGROUND_SHELL: BridgedKind<BackgroundShellSpawnArgs> = {
	plan: (args) =>
		plan({ ...args, background: true }, (outcome) => {
			const where = whereOf(args);
			if (isRejection(outcome)) return spawned({ case: "rejected", value: { ...where, reason: outcome.text } });
			if (outcome.isError) return spawned({ case: "error", value: { ...where, error: outcome.text } });
			const ids = { shellId: shellIdIn(outcome.text), pid: processIdIn(outcome.text) };
			return spawned({ case: "success", value: { ...where, ...ids } });
		}),
	refuse: (args, reason) => spawned({ case: "rejected", value: { ...whereOf(args), reason } }),
};

function shellKind(answer: (value: AnswerValue<"shellResult">) => ExecAnswerInit): BridgedKind<ShellArgs> {
	return {
		plan: (args) => plan(requestOf(args), (outcome) => [answer(wholeResult(args, outcome))]),
		refuse: (args, reason) => [answer({ result: { case: "rejected", value: { ...whereOf(args), reason } } })],
	};
}

function plan(request: ShellRequest, answer: Ask["answer"]): Plan {
	const elsewhere = namesPlace(request.workingDirectory);
	return {
		intent: "run",
		asks: [{ intent: "run", wishes: wishesFor(request), answer }],
		detail: request.background
			? "Commands cannot be left running in the background here."
			: elsewhere
				? "Where a tool takes no working directory, change to it in the command."
				: "",
	};
}

/** The command is passed to the tool unchanged. The gateway never composes a command line. */
function wishesFor({ command: line, workingDirectory, description, timeoutMs = 0, background }: ShellRequest): Wish[] {
	const inBackground = flag(background === true, { on: ["async", "background"], off: ["sync", "foreground"] });
	return [
		must(COMMAND, command(line)),
		...(namesPlace(workingDirectory) ? [must(WORKING_DIRECTORY, text(workingDirectory))] : []),
		background ? must(BACKGROUND, inBackground) : spare(BACKGROUND, inBackground),
		...(timeoutMs > 0 && Number.isFinite(timeoutMs) ? [want(TIMEOUT, duration(timeoutMs))] : []),
		spare(DESCRIPTION, text(description || line.slice(0, 80))),
		// The client's user decides.
		spare(["requiresapproval", "needsapproval"], flag(true)),
		spare(WORKING_DIRECTORY, text(".")),
	];
}

function namesPlace(directory: string | undefined): directory is string {
	return directory !== undefined && directory !== "" && directory !== ".";
}

function requestOf(args: ShellArgs): ShellRequest {
	// With this behaviour the timeout says when the command moves to the background, not when it is killed.
	const soft = args.timeoutBehavior === TimeoutBehavior.BACKGROUND ? 0 : args.timeout;
	return {
		command: args.command,
		workingDirectory: args.workingDirectory,
		description: args.description,
		timeoutMs: args.hardTimeout || soft,
		background: args.isBackground,
	};
}

function whereOf({ command: line, workingDirectory }: { command: string; workingDirectory: string }) {
	return { command: line, workingDirectory };
}

function wholeResult(args: ShellArgs, outcome: ToolOutcome): AnswerValue<"shellResult"> {
	const where = whereOf(args);
	if (isRejection(outcome)) return { result: { case: "rejected", value: { ...where, reason: outcome.text } } };
	const { stdout, stderr, exitCode, timedOut } = shellOutputOf(outcome);
	if (args.isBackground && !outcome.isError) {
		const shellId = shellIdIn(outcome.text);
		return { isBackground: true, result: { case: "success", value: { ...where, stdout, stderr, shellId } } };
	}
	if (exitCode === 0 && !timedOut) return { result: { case: "success", value: { ...where, stdout, stderr } } };
	const abort = timedOut ? { aborted: true, abortReason: ShellAbortReason.TIMEOUT } : {};
	return { result: { case: "failure", value: { ...where, exitCode: signed(exitCode), stdout, stderr, ...abort } } };
}

function streamed(args: ShellArgs, outcome: ToolOutcome): ExecAnswerInit[] {
	const where = whereOf(args);
	if (isRejection(outcome)) return [event({ case: "rejected", value: { ...where, reason: outcome.text } })];
	const { stdout, stderr, exitCode, timedOut } = shellOutputOf(outcome);
	const started = [
		event({ case: "start", value: {} }),
		...(stdout === "" ? [] : [event({ case: "stdout", value: { data: new TextEncoder().encode(stdout) } })]),
		...(stderr === "" ? [] : [event({ case: "stderr", value: { data: new TextEncoder().encode(stderr) } })]),
	];
	if (args.isBackground && !outcome.isError) {
		const reason = ShellBackgroundReason.USER_REQUEST;
		const value = { ...where, shellId: shellIdIn(outcome.text), pid: processIdIn(outcome.text), reason };
		return [...started, event({ case: "backgrounded", value })];
	}
	const abort = timedOut ? { aborted: true, abortReason: ShellAbortReason.TIMEOUT } : {};
	const value = { code: signed(exitCode) >>> 0, cwd: args.workingDirectory, ...abort };
	return [...started, event({ case: "exit", value })];
}

/** Fits an exit code into the 32-bit signed field. */
function signed(exitCode: number): number {
	return exitCode | 0;
}

function event(value: AnswerValue<"shellStream">["event"]): ExecAnswerInit {
	return { case: "shellStream", value: { event: value } };
}

function piBash(result: AnswerValue<"piBashResult">["result"]): ExecAnswerInit[] {
	return [{ case: "piBashResult", value: { result } }];
}

function piFailed(error: string): ExecAnswerInit[] {
	return piBash({ case: "error", value: { error } });
}

function spawned(result: AnswerValue<"backgroundShellSpawnResult">["result"]): ExecAnswerInit[] {
	return [{ case: "backgroundShellSpawnResult", value: { result } }];
}
