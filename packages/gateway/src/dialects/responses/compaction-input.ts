import { GatewayError } from "../../turn/error.ts";
import type { Sealer } from "../dialect.ts";
import { invalid } from "../shared/invalid.ts";
import type { PlacedItem } from "./earlier.ts";

// Compactions in the input of a request: one that is asked for, and one that was made before.

const SEALED: ReadonlySet<unknown> = new Set(["compaction", "compaction_summary"]);
const TRIGGER = "compaction_trigger";

interface RawItem {
	type?: unknown;
	role?: unknown;
}

/** Whether a body may hold anything that is sealed or is to be sealed. The body need not be valid. */
export function needsSealer(body: unknown): boolean {
	const { previous_response_id: previous, input } = (body ?? {}) as Record<string, unknown>;
	if (typeof previous === "string") return true;
	const items: RawItem[] = Array.isArray(input) ? input : [];
	// A reference may be to anything that was stored.
	return items.some((item) => SEALED.has(item?.type) || item?.type === TRIGGER || item?.type === "item_reference");
}

/** Whether the items end with the wish for a compaction. It says where the conversation ends, so it has no other place. */
export function asksForCompaction(items: readonly PlacedItem[]): boolean {
	const at = items.findIndex(({ item }) => item.type === TRIGGER);
	if (at === -1) return false;
	if (at < items.length - 1) throw invalid(items[at]!.param, "must be the last item, if it is a compaction_trigger");
	return true;
}

/** The summary in an item, or an error that says why it cannot be read. */
export function openSummary(sealer: Sealer | undefined, sealed: string, param: string): string {
	const summary = sealer?.open(sealed);
	if (summary !== undefined) return summary;
	throw new GatewayError(
		"invalid-request",
		`${param}.encrypted_content cannot be read: it was changed, or another installation sealed it.`,
		{
			param: `${param}.encrypted_content`,
			nextStep:
				"Use the gateway that compacted this conversation (several share compactions through one Redis), or begin a new conversation.",
		},
	);
}

/** In characters of JSON: about 64,000 tokens, which is what Codex keeps. */
const MOST_KEPT = 256_000;

/** What stays of a conversation besides the summary: what the user said, the newest first to be kept. */
export function keptMessages(raw: readonly unknown[]): unknown[] {
	const kept: unknown[] = [];
	let left = MOST_KEPT;
	for (const item of raw.toReversed()) {
		const { type = "message", role } = item as RawItem;
		if (type !== "message" || role !== "user") continue;
		left -= JSON.stringify(item).length;
		if (left < 0) break;
		kept.unshift(item);
	}
	return kept;
}
