import type { PiWriteExecArgs, WriteArgs } from "@cursorwire/protocol/agent";
import type { Ask, BridgedKind, Plan } from "../exec-kind.ts";
import { choice, flag, must, spare, text, want } from "../match/wish.ts";
import type { AnswerValue, ExecAnswerInit } from "../outcome.ts";
import { type Failure, failureOf } from "../text/failure.ts";
import { CONTENT, FILE } from "./parameter-names.ts";

/** Writes a whole file. A shell could do that too, but only with a command line composed from upstream data. */
export const WRITE: BridgedKind<WriteArgs> = {
	plan: (args) => {
		const content = contentOf(args);
		if (content === undefined) return { intent: "write", asks: [], detail: "The content is not text." };
		return plan(args.path, content, (outcome) => {
			const failure = failureOf(outcome);
			return [failure ? failed(args.path, failure) : written(args, content)];
		});
	},
	refuse: (args, reason) => [writeResult({ case: "rejected", value: { path: args.path, reason } })],
};

export const PI_WRITE: BridgedKind<PiWriteExecArgs> = {
	plan: (args) =>
		plan(args.path, args.content, (outcome) => {
			const failure = failureOf(outcome);
			if (!failure) return piWrite({ case: "success", value: { output: outcome.text } });
			if (failure.cause === "rejected") return piWrite({ case: "rejected", value: { reason: failure.text } });
			return piWrite({ case: "error", value: { error: failure.text } });
		}),
	refuse: (_args, reason) => piWrite({ case: "rejected", value: { reason } }),
};

function plan(path: string, content: string, answer: Ask["answer"]): Plan {
	const wishes = [
		must(FILE, text(path)),
		must(CONTENT, () => [content]),
		want(["overwrite"], flag(true)),
		spare(["append"], flag(false)),
		spare(["mode"], choice(["overwrite", "rewrite", "write"])),
	];
	return { intent: "write", asks: [{ intent: "write", wishes, answer }] };
}

function contentOf({ fileText, fileBytes }: WriteArgs): string | undefined {
	if (fileBytes.length === 0) return fileText;
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fileBytes);
	} catch {
		return undefined;
	}
}

function written({ path, returnFileContentAfterWrite }: WriteArgs, content: string): ExecAnswerInit {
	const value = {
		path,
		linesCreated: content === "" ? 0 : content.split("\n").length,
		fileSize: new TextEncoder().encode(content).length,
		...(returnFileContentAfterWrite && { fileContentAfterWrite: content }),
	};
	return writeResult({ case: "success", value });
}

function failed(path: string, { cause, text: reason }: Failure): ExecAnswerInit {
	switch (cause) {
		case "denied":
			return writeResult({ case: "permissionDenied", value: { path, operation: "write", error: reason } });
		case "no-space":
			return writeResult({ case: "noSpace", value: { path } });
		case "rejected":
			return writeResult({ case: "rejected", value: { path, reason } });
		default:
			return writeResult({ case: "error", value: { path, error: reason } });
	}
}

function writeResult(result: AnswerValue<"writeResult">["result"]): ExecAnswerInit {
	return { case: "writeResult", value: { result } };
}

function piWrite(result: AnswerValue<"piWriteResult">["result"]): ExecAnswerInit[] {
	return [{ case: "piWriteResult", value: { result } }];
}
