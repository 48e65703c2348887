import type { DeleteArgs } from "@cursorwire/protocol/agent";
import type { BridgedKind } from "../exec-kind.ts";
import { flag, must, spare, text } from "../match/wish.ts";
import type { AnswerValue, ExecAnswerInit } from "../outcome.ts";
import { type Failure, failureOf } from "../text/failure.ts";
import { FILE } from "./parameter-names.ts";

/** Only tools that delete files qualify. Running `rm` in a shell would mean quoting a path that came from upstream. */
export const DELETE: BridgedKind<DeleteArgs> = {
	plan: ({ path }) => ({
		intent: "delete",
		asks: [
			{
				intent: "delete",
				wishes: [must(FILE, text(path)), spare(["recursive", "force"], flag(false))],
				answer: (outcome) => {
					const failure = failureOf(outcome);
					return [failure ? failed(path, failure) : deleted({ case: "success", value: { path, deletedFile: path } })];
				},
			},
		],
	}),
	refuse: ({ path }, reason) => [deleted({ case: "rejected", value: { path, reason } })],
};

function failed(path: string, { cause, text: reason }: Failure): ExecAnswerInit {
	switch (cause) {
		case "not-found":
			return deleted({ case: "fileNotFound", value: { path } });
		case "denied":
			return deleted({ case: "permissionDenied", value: { path, clientVisibleError: reason } });
		case "busy":
			return deleted({ case: "fileBusy", value: { path } });
		case "directory":
			return deleted({ case: "notFile", value: { path, actualType: "directory" } });
		case "rejected":
			return deleted({ case: "rejected", value: { path, reason } });
		default:
			return deleted({ case: "error", value: { path, error: reason } });
	}
}

function deleted(result: AnswerValue<"deleteResult">["result"]): ExecAnswerInit {
	return { case: "deleteResult", value: { result } };
}
