import { GatewayError } from "../turn/error.ts";
import type { ApiParts, ApiRequest } from "./api-parts.ts";

/** Throws unless the owner asks: what all clients do is nobody else's business. */
export function requireOwner({ caller }: ApiRequest, { isOwner }: Pick<ApiParts, "isOwner">): void {
	if (isOwner(caller)) return;
	throw new GatewayError("forbidden", "Only the owner's key may see the log and what runs.", {
		nextStep: "Use the key that `cursorwire keys show` prints.",
	});
}
