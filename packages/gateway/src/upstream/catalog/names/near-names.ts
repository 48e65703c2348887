import { GatewayError } from "../../../turn/error.ts";

/** Adds similar names to the error for a model that Cursor does not know. Other errors stay as they are. */
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
