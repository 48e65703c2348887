import { callerOfKey } from "../../access/caller.ts";
import { CLIENTS } from "../../connect/clients.ts";
import { VARIABLE_CLIENTS } from "../../connect/variable-clients.ts";
import type { Standing } from "../../guard/standings.ts";
import type { NamedLedgerSums } from "../../store/ledger-reads.ts";
import type { StoredKey } from "../../store/store.ts";
import { midnightOf } from "../../usage/spans.ts";
import type { ClientsAnswer, Sums } from "../contract.ts";
import { limitBars } from "./limit-bars.ts";
import type { PageDataParts } from "./parts.ts";
import { sumsOf } from "./plan.ts";
import { typedCommand } from "./typed-command.ts";

/** Of so many it is looked up when they asked last. */
const MOST_CALLERS = 50;
const NOTHING: Sums = { turns: 0, errors: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/** `GET /page/api/clients`. */
export async function readClients({ store, keys, standings, now }: PageDataParts): Promise<ClientsAnswer> {
	const midnight = midnightOf(now());
	const { byCaller } = await store.sumsSince(midnight);
	const lastTurns = new Map<string, number>();
	for (const { name: caller } of byCaller.slice(0, MOST_CALLERS)) {
		const { rows } = await store.findRows({ caller, since: midnight }, 1);
		if (rows[0]) lastTurns.set(caller, rows[0].at);
	}
	// What edits settings of clients is of no use to a gateway that nobody looks at.
	const { launchName } = await import("../../launch/clients.ts");
	return clientsAnswer({ keys: await keys(), today: byCaller, lastTurns, standings: await standings(), launchName });
}

/** What the answer is made from. */
export interface ClientFacts {
	keys: readonly StoredKey[];
	/** By caller. */
	today: readonly NamedLedgerSums[];
	/** When the last turn of a caller ended. The time at which a key was used is written down once a minute. */
	lastTurns: ReadonlyMap<string, number>;
	standings: readonly Standing[];
	/** What `cursorwire launch` calls a client; undefined if it cannot start it. */
	launchName(client: string): string | undefined;
}

export function clientsAnswer({ keys, today, lastTurns, standings, launchName }: ClientFacts): ClientsAnswer {
	const byCaller = new Map(today.map((sums) => [sums.name, sums]));
	return {
		keys: keys.map((record) => {
			const { id, name, kind = "client", createdAt, revokedAt, limits } = record;
			const caller = callerOfKey(record).id;
			const lastUsedAt = Math.max(record.lastUsedAt ?? 0, lastTurns.get(caller) ?? 0);
			const concurrentTurns = limits?.concurrentTurns;
			return {
				...{ id, name, kind, createdAt },
				...(lastUsedAt > 0 && { lastUsedAt }),
				...(revokedAt !== undefined && { revokedAt }),
				...(concurrentTurns !== undefined && { concurrentTurns }),
				limits: limitBars(
					standings.filter(({ limit }) => limit.scope.key === id),
					keys,
				),
				today: sumsOf(byCaller.get(caller) ?? NOTHING),
			};
		}),
		commands: Object.entries({ ...CLIENTS, ...VARIABLE_CLIENTS }).map(([client, { name: title }]) => {
			const launched = launchName(client);
			return {
				...{ client, title, connect: typedCommand(`cursorwire connect ${client}`) },
				...(launched !== undefined && { launch: typedCommand(`cursorwire launch ${launched}`) }),
			};
		}),
	};
}
