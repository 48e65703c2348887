import { bringsCredential } from "../access/caller.ts";
import type { PoolFallback } from "../guard/pool-fallback.ts";
import type { TurnSpend } from "../guard/turn-spend.ts";
import { orElse, type Soon, soon } from "../time/soon.ts";
import type { TurnRequest } from "../turn/request.ts";
import type { CursorAccount } from "../upstream/account/cursor-account.ts";

/** Goes on with a request that brings no results, once it may spend what it will. */
export function admitted<T>(spend: TurnSpend | undefined, isFurther: boolean, next: () => Soon<T>): Soon<T> {
	if (!spend) return next();
	return soon(spend.admit(false, isFurther), (refusal) => {
		if (refusal) throw refusal;
		return next();
	});
}

/** The request, for another model where the owner wants that. */
export function requestInstead(
	request: TurnRequest,
	{ account, caller }: { account: CursorAccount; caller: string },
	fallback: PoolFallback | undefined,
): Soon<TurnRequest> {
	// The pools are those of the owner's account.
	if (!fallback?.isOn || bringsCredential(caller)) return request;
	return anotherModel(request, account, fallback);
}

function anotherModel(request: TurnRequest, account: CursorAccount, fallback: PoolFallback): Soon<TurnRequest> {
	return soon(
		fallback.instead(request.model, () => poolOf(account, request)),
		(other) => {
			if (!other) return request;
			request.warnings.push(other.warning);
			return { ...request, model: other.model, thinking: {}, maxMode: false };
		},
	);
}

/** The pool that a run of this request would be charged to. A name that nobody knows fails where the run is opened. */
function poolOf({ facts }: CursorAccount, { model, thinking }: TurnRequest): Soon<"auto" | "api" | undefined> {
	return orElse<"auto" | "api" | undefined>(
		() =>
			soon(facts.catalog.resolve({ name: model, effort: thinking.effort }), ({ candidates }) =>
				facts.poolOf(candidates[0].modelId),
			),
		() => undefined,
	);
}
