import type { Backend } from "../backend.ts";
import { RpcFailure } from "../rpc/failure.ts";
import type { Account } from "./account.ts";

/** Refuses a run if the quota of its model's pool is used up. */
export function refuseEmptyPool(
	backend: Backend,
	account: Account,
	model: Parameters<Backend["directory"]["poolIsEmpty"]>[1],
) {
	if (!backend.directory.poolIsEmpty(account, model)) return;
	const free = account.plan === "free";
	throw new RpcFailure("resource_exhausted", "Error", {
		error: free ? "ERROR_FREE_USER_USAGE_LIMIT" : "ERROR_PRO_USER_USAGE_LIMIT",
		title: "You've hit your usage limit",
		detail: free
			? "Upgrade to Pro to continue using this model."
			: `Your ${model.pool === "auto" ? "Auto" : "API"} usage resets with your billing cycle. Switch models or set a spend limit to continue.`,
		isRetryable: false,
	});
}
