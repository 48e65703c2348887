import { ErrorDetailsSchema } from "@cursorwire/protocol/aiserver";
import type { GatewayError } from "../../turn/error.ts";
import { UpstreamFailure } from "../errors/upstream-failure.ts";
import type { CountUnknown } from "./census.ts";

/** Error details are messages too, but arrive separately from the others. A new reason to refuse is worth counting. */
export function countFailure({ cause }: GatewayError, countUnknown: CountUnknown): void {
	if (cause instanceof UpstreamFailure && cause.details) countUnknown(ErrorDetailsSchema, cause.details);
}
