import type { StoredRow } from "../../store/ledger-reads.ts";
import { GatewayError } from "../../turn/error.ts";
import type { PageDataParts } from "./parts.ts";

/** The row with this id. Throws a `GatewayError` if there is none. */
export async function rowOf(store: Pick<PageDataParts["store"], "findRow">, id: number): Promise<StoredRow> {
	const row = await store.findRow(id);
	if (row) return row;
	throw new GatewayError("not-found", "There is no such turn, or it is so old that it was removed.", {
		nextStep: "Choose one from the list.",
	});
}
