import { RpcFailure } from "../rpc/failure.ts";

/** What a request gets that names a model which does not exist. */
export function badModelName(id: string): RpcFailure {
	return new RpcFailure("not_found", "Error", {
		error: "ERROR_BAD_MODEL_NAME",
		title: "AI Model Not Found",
		detail: `Model name is not valid: "${id}"`,
		isRetryable: false,
	});
}
