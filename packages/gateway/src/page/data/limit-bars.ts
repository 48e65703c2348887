import type { Standing } from "../../guard/standings.ts";
import type { StoredKey } from "../../store/store.ts";
import type { LimitBar } from "../contract.ts";

/** Limits as the page draws them. */
export function limitBars(standings: readonly Standing[], keys: readonly StoredKey[]): LimitBar[] {
	const names = new Map(keys.map(({ id, name }) => [id, name]));
	return standings.map((standing) => limitBar(standing, names));
}

function limitBar({ limit, text, used, resetsAt }: Standing, names: ReadonlyMap<string, string>): LimitBar {
	const { id, amount, unit, scope, mode, isPaused } = limit;
	return {
		...{ id, name: text, limit: amount, unit },
		...(used !== undefined && { used }),
		...(scope.key !== undefined && { key: names.get(scope.key) ?? scope.key }),
		...(resetsAt !== undefined && { resetsAt }),
		...(isPaused ? { state: "paused" as const } : mode === "watch" && { state: "watches" as const }),
	};
}
