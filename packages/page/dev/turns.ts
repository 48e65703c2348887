import type { Lane, TurnAnswer, TurnRow } from "../../gateway/src/page/contract.ts";
import { chance, DIALECTS, ERRORS, KEYS, MINUTE, MODELS, NASTY, pick, RUNGS, TOOLS } from "./made-up.ts";

/** A turn of the ledger, by its id. Larger is newer, one about every four minutes. */
export function turnRow(id: number, newest: number, now: number): TurnRow {
	const [key, client] = pick(KEYS, id * 3);
	const [path, reason] = pick(RUNGS, id * 5 + 1);
	const model = pick(MODELS, id * 7);
	const isBad = id === newest - 2 || (newest > 1 && chance(id * 11) < 0.04);
	const error = isBad ? { ...pick(ERRORS, id), errorMeaning: "Something went wrong." } : { status: 200 };
	const inputTokens = Math.round(2_000 + chance(id * 13) ** 3 * 140_000);
	const latencyMs = Math.round(900 + chance(id * 17) ** 3 * 90_000);
	const calls = chance(id * 19) < 0.6 ? [pick(TOOLS, id * 23), pick(TOOLS, id * 29)] : [];
	return {
		id,
		at: now - (newest - id) * 4 * MINUTE - 40_000,
		requestId: `req_${id}`,
		key: id % 997 === 0 ? NASTY : key,
		client,
		dialect: pick(DIALECTS, id * 31),
		model,
		answered: chance(id * 37) < 0.1 ? "composer-1" : model,
		pool: model === "composer-1" ? "auto" : "api",
		path: isBad && error.status === 404 ? "none" : path,
		reason,
		conversation: `c${Math.floor(id / 9)}`,
		inputTokens,
		outputTokens: isBad ? 0 : Math.round(60 + chance(id * 41) ** 2 * 4_000),
		cachedTokens: Math.round(inputTokens * chance(id * 43) * 0.9),
		reasoningTokens: chance(id * 47) < 0.4 ? Math.round(chance(id * 53) * 1_800) : 0,
		latencyMs,
		firstTokenMs: isBad ? undefined : Math.round(Math.min(latencyMs * 0.8, 350 + chance(id * 59) ** 2 * 5_000)),
		gatewayUs: Math.round(300 + chance(id * 61) * 1_500),
		waitedMs: path === "parked" ? Math.round(chance(id * 67) ** 2 * 60_000) : undefined,
		tools: calls.length > 0 ? [...new Set(calls)] : undefined,
		...error,
	};
}

export function turnAnswer(turn: TurnRow, conversation: TurnRow[]): TurnAnswer {
	const first = turn.firstTokenMs ?? turn.latencyMs;
	const timeline = [
		...(turn.waitedMs === undefined ? [] : [{ step: "parked", atMs: -turn.waitedMs }]),
		{ step: turn.waitedMs === undefined ? "request" : "results", atMs: 0 },
		{ step: "sent", atMs: Math.round(first * 0.1) },
		...(turn.reasoningTokens > 0 ? [{ step: "thinking", atMs: first }] : []),
		...(turn.firstTokenMs === undefined
			? []
			: [{ step: "text", atMs: Math.round(first + (turn.latencyMs - first) * 0.3) }]),
		...(turn.tools === undefined
			? []
			: [{ step: "tool call", atMs: Math.round(first + (turn.latencyMs - first) * 0.85) }]),
		{ step: "end", atMs: turn.latencyMs },
	];
	const parts = { system: 0.14, tools: 0.22, history: 0.41, results: 0.18, images: 0.02, message: 0.03 };
	return {
		turn,
		timeline,
		anatomy: Object.entries(parts).map(([part, share]) => ({
			part: part as keyof typeof parts,
			tokens: Math.round(turn.inputTokens * share),
		})),
		warnings: turn.id % 3 === 0 ? ["temperature has no effect", "top_k has no effect"] : [],
		conversation,
		recording: turn.id % 2 === 0 ? "2026-11-16T10-12-44-a3f1" : undefined,
	};
}

/** A lane in each state, and the turns go through all of them. */
export function lanes(now: number, isNasty: boolean): Lane[] {
	const states = ["streaming", "waiting", "thinking", "retrying", "connecting", "tool"] as const;
	return states.map((state, index) => {
		const [key, client] = KEYS[index % KEYS.length]!;
		const [path, reason] = RUNGS[index % RUNGS.length]!;
		return {
			id: state === "waiting" ? "run:r1" : `req_live_${index}`,
			key: isNasty && index === 0 ? NASTY : key,
			client,
			dialect: DIALECTS[index % 3]!,
			model: isNasty && index === 1 ? NASTY : MODELS[index % MODELS.length]!,
			answered: index === 2 ? "claude-4.5-sonnet" : MODELS[index % MODELS.length]!,
			path,
			reason,
			conversation: `c${index}`,
			state,
			tools: state === "waiting" || state === "tool" ? ["Bash", isNasty ? NASTY : "mcp__github__search"] : undefined,
			stateSince: now - 3_000 - index * 2_400,
			startedAt: now - 9_000 - index * 7_300,
			outputTokens: index === 4 ? 0 : 140 + index * 311,
			tokensPerSecond: state === "streaming" ? 68.4 : undefined,
		};
	});
}
