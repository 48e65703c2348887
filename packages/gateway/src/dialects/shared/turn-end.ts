import type { CollectedTurn } from "../../turn/collect.ts";
import { GatewayError } from "../../turn/error.ts";

/** How a collected turn ended. One that was cut short must never look like a complete one. */
export function endOf({ end }: CollectedTurn): NonNullable<CollectedTurn["end"]> {
	if (!end) throw new GatewayError("internal", undefined, { cause: new Error("the turn has not ended") });
	return end;
}
