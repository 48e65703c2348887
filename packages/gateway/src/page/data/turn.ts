import { callerNames } from "../../access/caller-names.ts";
import type { StoredRow } from "../../store/ledger-reads.ts";
import type { TurnAnswer } from "../contract.ts";
import type { PageDataParts } from "./parts.ts";
import { recordingOf } from "./recording.ts";
import { rowOf } from "./row-of.ts";
import { turnRow } from "./turn-row.ts";

/** What the header `x-cursorwire-warnings` puts between two of them. */
const BETWEEN_WARNINGS = "; ";

/** `GET /page/api/turns/:id`. */
export async function readTurn({ store, keys, recordings }: PageDataParts, id: number): Promise<TurnAnswer> {
	const row = await rowOf(store, id);
	const conversation = row.conversation === undefined ? [] : await store.conversationRows(row.conversation);
	const nameOf = callerNames(await keys());
	const recording = await recordingOf(row, recordings);
	const anatomy = anatomyOf(row);
	return {
		turn: turnRow(row, nameOf),
		timeline: timelineOf(row),
		...(anatomy && { anatomy }),
		warnings: row.warnings ? row.warnings.split(BETWEEN_WARNINGS) : [],
		conversation: (conversation.length > 0 ? conversation : [row]).map((other) => turnRow(other, nameOf)),
		...(recording !== undefined && { recording }),
	};
}

/** The steps of a turn, in the order of time. What did not happen is not there. */
export function timelineOf(row: StoredRow): TurnAnswer["timeline"] {
	const { waitedMs, sentMs, firstTokenMs, firstThinkingMs, firstTextMs, firstCallMs, latencyMs } = row;
	const steps: [step: string, atMs: number | undefined][] = [
		["parked", waitedMs === undefined ? undefined : -waitedMs],
		[waitedMs === undefined ? "request" : "results", 0],
		["sent", sentMs],
		["first token", firstTokenMs],
		["thinking", firstThinkingMs],
		["text", firstTextMs],
		["tool call", firstCallMs],
		[row.errorKind === undefined ? "end" : "error", latencyMs],
	];
	const happened = steps.flatMap(([step, atMs]) => (atMs === undefined ? [] : [{ step, atMs }]));
	return happened.sort((one, other) => one.atMs - other.atMs);
}

const PARTS = {
	system: "systemTokens",
	tools: "toolTokens",
	history: "historyTokens",
	results: "resultTokens",
	images: "imageTokens",
	message: "messageTokens",
} as const satisfies Record<NonNullable<TurnAnswer["anatomy"]>[number]["part"], keyof StoredRow>;

/** What the prompt consists of; undefined where nothing is known. */
export function anatomyOf(row: StoredRow): TurnAnswer["anatomy"] {
	const known = Object.entries(PARTS).flatMap(([part, field]) =>
		row[field] === undefined ? [] : [{ part: part as keyof typeof PARTS, tokens: row[field] }],
	);
	return known.length > 0 ? known : undefined;
}
