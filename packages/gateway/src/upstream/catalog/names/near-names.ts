import { GatewayError } from "../../../turn/error.ts";

/** The error of a model that Cursor does not know, with names that may have been meant. Any other stays as it is. */
export function withNearNames(error: GatewayError, suggest: () => readonly string[]): GatewayError {
	const near = error.kind === "model-not-found" ? suggest() : [];
	if (near.length === 0) return error;
	const { message, detail, param, cause, nextStep } = error;
	return new GatewayError(error.kind, message, {
		...(detail !== undefined && { detail }),
		...(param !== undefined && { param }),
		cause,
		nextStep: `Did you mean ${near.join(", ")}? ${nextStep}`,
	});
}
