import { CODES, RpcFailure } from "../rpc/failure.ts";
import type { Action } from "./brain.ts";

/** The error that a brain asks for, or one that says that its code does not exist. */
export function actionFailure(error: NonNullable<Action["error"]>): RpcFailure {
	const { code = "internal", message = "Error", details, metadata } = error;
	if (code in CODES) return new RpcFailure(code, message, details, metadata);
	const known = Object.keys(CODES).join(", ");
	return new RpcFailure("internal", `the brain yielded an error of the unknown code "${code}" (known: ${known})`);
}
