import { callerNames } from "../../access/caller-names.ts";
import type { FoundRows, LedgerNames, RowFilter, StoredRow } from "../../store/ledger-reads.ts";
import { GatewayError } from "../../turn/error.ts";
import type { TurnsAnswer } from "../contract.ts";
import type { PageDataParts } from "./parts.ts";
import { turnRow } from "./turn-row.ts";

const DEFAULT_ROWS = 100;
const MOST_ROWS = 500;
/** More callers of one name are not asked for. */
const MOST_CALLERS = 50;

export type Query = Readonly<Record<string, string | undefined>>;

/** `GET /page/api/turns`. `namesOf`: what there is to choose from, which takes longer than a page of rows. */
export async function readTurns(
	{ store, keys }: PageDataParts,
	query: Query,
	namesOf: () => Promise<LedgerNames> = () => store.ledgerNames(),
): Promise<TurnsAnswer> {
	const { limit, ...filter } = turnsQuery(query);
	const [names, known] = await Promise.all([namesOf(), keys()]);
	const nameOf = callerNames(known);
	const { rows, total } = query.conversation
		? ofConversation(await store.conversationRows(query.conversation))
		: await matching();
	return {
		rows: rows.map((row) => turnRow(row, nameOf)),
		total,
		clients: [...new Set(names.callers.map(nameOf))].sort(),
		models: names.models,
	};

	async function matching(): Promise<FoundRows> {
		const callers = query.client ? names.callers.filter((caller) => nameOf(caller) === query.client) : [undefined];
		const found = callers
			.slice(0, MOST_CALLERS)
			.map((caller) => store.findRows({ ...filter, ...(caller !== undefined && { caller }) }, limit));
		return newestOf(await Promise.all(found), limit);
	}
}

/** All of it at once: no more of a conversation is ever given. */
const ofConversation = (rows: readonly StoredRow[]): FoundRows => ({ rows: [...rows].reverse(), total: rows.length });

/** Several callers may share a name, so several lists may become one. */
export function newestOf(found: readonly FoundRows[], limit: number): FoundRows {
	if (found.length === 1) return found[0]!;
	const rows = found.flatMap((one) => one.rows).sort((one, other) => other.id - one.id);
	return { rows: rows.slice(0, limit), total: found.reduce((sum, one) => sum + one.total, 0) };
}

export function turnsQuery({ before, limit, model, path, error, slow }: Query): RowFilter & { limit: number } {
	const beforeId = wholeNumber(before, "before");
	const slowerThanMs = wholeNumber(slow, "slow");
	const count = wholeNumber(limit, "limit") ?? DEFAULT_ROWS;
	return {
		limit: Math.min(Math.max(count, 1), MOST_ROWS),
		...(beforeId !== undefined && { beforeId }),
		...(model && { model }),
		...(path && { path }),
		...(error && error !== "0" && error !== "false" && { errorsOnly: true }),
		...(slowerThanMs && { slowerThanMs }),
	};
}

/** A whole number in the query; undefined where it is absent or empty. */
export function wholeNumber(text: string | undefined, param: string): number | undefined {
	if (!text) return undefined;
	if (/^\d{1,16}$/.test(text)) return Number(text);
	throw new GatewayError("invalid-request", `${param} must be a whole number.`, { param });
}
