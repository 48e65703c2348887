import { callerOfKey } from "../../access/caller.ts";
import { CLIENTS } from "../../connect/clients.ts";
import type { NamedLedgerSums } from "../../store/ledger-reads.ts";
import type { StoredKey } from "../../store/store.ts";
import { asStarted } from "../../text/as-started.ts";
import { midnightOf } from "../../usage/spans.ts";
import type { ClientsAnswer, Sums } from "../contract.ts";
import type { PageDataParts } from "./parts.ts";
import { sumsOf } from "./plan.ts";

const NOTHING: Sums = { turns: 0, errors: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/** `GET /page/api/clients`. */
export async function readClients({ store, keys, now }: PageDataParts): Promise<ClientsAnswer> {
	const { byCaller } = await store.sumsSince(midnightOf(now()));
	return clientsAnswer(await keys(), byCaller);
}

export function clientsAnswer(keys: readonly StoredKey[], today: readonly NamedLedgerSums[]): ClientsAnswer {
	const byCaller = new Map(today.map((sums) => [sums.name, sums]));
	return {
		keys: keys.map((record) => {
			const { id, name, kind = "client", createdAt, lastUsedAt, revokedAt, limits } = record;
			const concurrentTurns = limits?.concurrentTurns;
			return {
				...{ id, name, kind, createdAt },
				...(lastUsedAt !== undefined && { lastUsedAt }),
				...(revokedAt !== undefined && { revokedAt }),
				...(concurrentTurns !== undefined && { concurrentTurns }),
				today: sumsOf(byCaller.get(callerOfKey(record).id) ?? NOTHING),
			};
		}),
		commands: Object.entries(CLIENTS).map(([client, { name: title }]) => ({
			client,
			title,
			connect: typed(`cursorwire connect ${client}`),
		})),
	};
}

/** A command in the form in which it can be typed here. */
const typed = (command: string): string => asStarted(`\`${command}\``).slice(1, -1);
