import type { GatewayError } from "../../../turn/error.ts";
import type { ErrorKind } from "../../../turn/error-kinds.ts";
import { UpstreamFailure } from "../../errors/upstream-failure.ts";

const KINDS: ReadonlySet<ErrorKind> = new Set<ErrorKind>(["model-not-found", "not-found", "upstream-empty"]);

/**
 * Whether an error before any output may be due to the spelling of the model, so that the other spelling is worth a
 * try: the model is not found, the turn is empty, or the refusal gives no reason.
 */
export function isSpellingRefusal(error: GatewayError): boolean {
	return KINDS.has(error.kind) || (error.cause instanceof UpstreamFailure && error.cause.isBare);
}
