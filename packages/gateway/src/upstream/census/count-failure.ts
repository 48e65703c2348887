import { ErrorDetailsSchema } from "@cursorwire/protocol/aiserver";
import type { GatewayError } from "../../turn/error.ts";
import { UpstreamFailure } from "../errors/upstream-failure.ts";
import type { CountUnknown } from "./census.ts";

/** Errors come beside the messages, with details that are one: a new reason to refuse is news as well. */
export function countFailure({ cause }: GatewayError, countUnknown: CountUnknown): void {
	if (cause instanceof UpstreamFailure && cause.details) countUnknown(ErrorDetailsSchema, cause.details);
}
