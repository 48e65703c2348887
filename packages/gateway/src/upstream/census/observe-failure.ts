import { ErrorDetailsSchema } from "@cursorwire/protocol/aiserver";
import type { GatewayError } from "../../turn/error.ts";
import { UpstreamFailure } from "../errors/upstream-failure.ts";
import type { MessageObserver } from "./census.ts";

/** Errors come beside the messages, with details that are one: a new reason to refuse is news as well. */
export function observeFailure({ cause }: GatewayError, observe: MessageObserver): void {
	if (cause instanceof UpstreamFailure && cause.details) observe(ErrorDetailsSchema, cause.details);
}
