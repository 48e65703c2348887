// The turns of four weeks before, as a person with one subscription leaves them: for pictures.
import type { LedgerRow } from "../../../gateway/src/store/ledger-row.ts";

const HOUR = 3_600_000;
const DAYS = 28;
const MODELS = ["claude-4.6-sonnet-thinking", "gpt-5.4-codex-high", "composer-1", "grok-code"];
const CLIENTS = ["claude-code", "codex", "opencode", "aider"];
const RUNGS = ["parked", "parked", "parked", "checkpoint", "checkpoint", "new", "rebuild"];

/** Always the same numbers. */
function* numbers(): Generator<number, never> {
	for (let seed = 7; ; ) {
		seed = (seed * 48_271) % 2_147_483_647;
		yield seed / 2_147_483_647;
	}
}

/** `callers`: who stands for each client in the ledger. */
export function pastRows(now: number, callers: ReadonlyMap<string, string>): LedgerRow[] {
	const source = numbers();
	const chance = () => source.next().value;
	const rows: LedgerRow[] = [];
	for (let day = DAYS; day >= 1; day--) {
		const midnight = new Date(now - day * 24 * HOUR).setHours(0, 0, 0, 0);
		const isWeekend = [0, 6].includes(new Date(midnight).getDay());
		const turns = Math.round((isWeekend ? 6 : 45) * (0.5 + chance()));
		for (let turn = 0; turn < turns; turn++) rows.push(row(midnight, turn, day, chance));
	}
	return rows.map((past) => ({ ...past, caller: callers.get(past.caller)! })).sort((one, other) => one.at - other.at);
}

function row(midnight: number, turn: number, day: number, chance: () => number): LedgerRow {
	const client = Math.floor(chance() ** 1.6 * CLIENTS.length);
	const firstTokenMs = Math.round(280 + chance() ** 4 * 3_200);
	const isError = chance() < 0.02;
	const inputTokens = Math.round(2_000 + chance() ** 2 * 60_000);
	return {
		at: midnight + Math.round((9 + chance() * 4 + chance() * 6) * HOUR),
		caller: CLIENTS[client]!,
		dialect: client === 0 ? "messages" : client === 1 ? "responses" : "chat",
		model: MODELS[client]!,
		...(!isError && { answered: MODELS[client]! }),
		path: RUNGS[Math.floor(chance() * RUNGS.length)]!,
		conversation: `${(day * 12 + client * 3 + (turn % 3) + 7) * 2_654_435}-past`,
		inputTokens,
		outputTokens: isError ? 0 : Math.round(60 + chance() ** 2 * 2_400),
		cachedTokens: Math.round(inputTokens * chance() * 0.8),
		reasoningTokens: isError ? 0 : Math.round(chance() * 300),
		latencyMs: firstTokenMs + Math.round(chance() ** 2 * 20_000),
		...(!isError && { firstTokenMs, gatewayUs: Math.round(700 + chance() * 900) }),
		status: isError ? 502 : 200,
		...(isError && { errorKind: "upstream-error" }),
	};
}
