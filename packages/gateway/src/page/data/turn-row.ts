import type { StoredRow } from "../../store/ledger-reads.ts";
import { asStarted } from "../../text/as-started.ts";
import { maskSecrets } from "../../text/mask-secrets.ts";
import { ERROR_KINDS, type ErrorKind } from "../../turn/error-kinds.ts";
import type { TurnRow } from "../contract.ts";

/** Fields that the page shows as they are. */
const AS_THEY_ARE = [
	"requestId",
	"client",
	"answered",
	"pool",
	"reason",
	"conversation",
	"firstTokenMs",
	"gatewayUs",
	"waitedMs",
	"errorKind",
] as const satisfies readonly (keyof StoredRow & keyof TurnRow)[];

/** A row of the ledger as the page shows it. */
export function turnRow(row: StoredRow, nameOf: (caller: string) => string): TurnRow {
	const { id, at, caller, dialect, model, path, latencyMs, status } = row;
	const { inputTokens, outputTokens, cachedTokens, reasoningTokens, tools, errorKind } = row;
	const tokens = { inputTokens, outputTokens, cachedTokens, reasoningTokens };
	const known = AS_THEY_ARE.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]]));
	return {
		...{ id, at, key: nameOf(caller), dialect, model: maskSecrets(model), path, ...tokens, latencyMs, status },
		...(Object.fromEntries(known) as Pick<TurnRow, (typeof AS_THEY_ARE)[number]>),
		...(tools && { tools: tools.split(",") }),
		...(errorKind !== undefined && isKind(errorKind) && adviceOn(errorKind)),
	};
}

const adviceOn = (kind: ErrorKind): Pick<TurnRow, "errorMeaning" | "nextStep"> => ({
	errorMeaning: asStarted(ERROR_KINDS[kind].sentence),
	nextStep: asStarted(ERROR_KINDS[kind].nextStep),
});

/** A row may have been written by another version. */
const isKind = (text: string): text is ErrorKind => Object.hasOwn(ERROR_KINDS, text);
