// Made-up figures in the form of the contract, the same at every start.
import type {
	ClientsAnswer,
	HealthAnswer,
	Lane,
	ModelsAnswer,
	NamedSums,
	PlanAnswer,
	Pool,
	Strip,
	Sums,
	TotalsAnswer,
	TurnAnswer,
	TurnRow,
} from "../../gateway/src/page/contract.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Between 0 and 1, by the number alone. */
export const chance = (seed: number): number => {
	const value = Math.sin(seed * 12.9898) * 43758.5453;
	return value - Math.floor(value);
};
const pick = <T>(list: readonly T[], seed: number): T => list[Math.floor(chance(seed) * list.length)]!;

export const NASTY = "<img src=x onerror=\"document.title='broken'\"> \u202egnp.exe\u0007";

const MODELS = ["claude-4.5-sonnet", "gpt-5.1-codex", "composer-1", "gemini-3-pro", "claude-4.5-opus-thinking"];
const KEYS = [
	["claude-code", "Claude Code 2.1"],
	["codex", "codex_cli 0.58"],
	["opencode", "opencode 1.0"],
	["zed", "Zed 0.214"],
	["scripts", "python-requests 2.32"],
] as const;
const DIALECTS = ["messages", "responses", "chat"];
const RUNGS = [
	["parked", "the run waits for these results"],
	["checkpoint", "the history matches a checkpoint"],
	["new", "nothing is known of this conversation"],
	["rebuild", "an earlier message was edited"],
] as const;
const TOOLS = ["Read", "Bash", "Edit", "Grep", "mcp__github__search", "WebFetch"];
const ERRORS = [
	{ status: 429, errorKind: "rate-limited", nextStep: "Wait a minute, or use another model." },
	{ status: 502, errorKind: "upstream-cut", nextStep: "Send the request again; nothing was charged twice." },
	{ status: 404, errorKind: "unknown-model", nextStep: "Choose one of the names in: cursorwire models" },
];

/** A turn of the ledger, by its id. Larger is newer, one about every four minutes. */
export function turnRow(id: number, newest: number, now: number): TurnRow {
	const [key, client] = pick(KEYS, id * 3);
	const [path, reason] = pick(RUNGS, id * 5 + 1);
	const model = pick(MODELS, id * 7);
	const isBad = id === newest - 2 || (newest > 1 && chance(id * 11) < 0.04);
	const error = isBad ? { ...pick(ERRORS, id), errorPage: "https://example.org/errors" } : { status: 200 };
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

export const pools = (now: number): Pool[] => [
	{ name: "auto", usedPercent: 38.4, resetsAt: now + 11 * DAY },
	{ name: "api", usedPercent: 83.2, usedCents: 1_664, limitCents: 2_000, resetsAt: now + 11 * DAY },
];

export const strip = (now: number, isEmpty: boolean): Strip => ({
	version: "0.1.0",
	isDemo: true,
	signedIn: !isEmpty,
	...(isEmpty ? {} : { email: "ada@example.org", plan: "Pro", channel: "HTTP/2" }),
	pools: isEmpty ? [{ name: "auto" }, { name: "api" }] : pools(now),
	store: "sqlite",
	problems: isEmpty ? ["There is no login. Run: cursorwire login"] : [],
});

export const EMPTY_SUMS: Sums = {
	turns: 0,
	errors: 0,
	inputTokens: 0,
	cachedTokens: 0,
	outputTokens: 0,
	reasoningTokens: 0,
};

const sums = (turns: number, seed: number): Sums => ({
	turns,
	errors: Math.round(turns * 0.04 * chance(seed)),
	inputTokens: Math.round(turns * (18_000 + chance(seed + 1) * 20_000)),
	cachedTokens: Math.round(turns * 14_000 * chance(seed + 2)),
	outputTokens: Math.round(turns * (600 + chance(seed + 3) * 900)),
	reasoningTokens: Math.round(turns * 300 * chance(seed + 4)),
});

const named = (names: readonly string[], turns: number): NamedSums[] =>
	names.map((name, index) => ({ name, ...sums(Math.max(1, Math.round(turns / (index + 1.6))), index * 7) }));

export const totals = (since: number, now: number, isEmpty: boolean): TotalsAnswer => ({
	...(isEmpty ? EMPTY_SUMS : sums(Math.max(1, Math.floor((now - since) / MINUTE)), 5)),
	pools: isEmpty ? [] : pools(now),
	now,
});

const dayName = (at: number): string => new Date(at).toISOString().slice(0, 10);

export function plan(now: number, isEmpty: boolean): PlanAnswer {
	const days = Array.from({ length: 30 }, (_, index) => dayName(now - (29 - index) * DAY));
	const turnsOf = (index: number) => Math.round((index % 7 > 4 ? 12 : 90) * (0.4 + chance(index)));
	const spans = [
		["today", now - 9 * 60 * MINUTE, 61],
		["week", now - 7 * DAY, 412],
		["period", now - 19 * DAY, 1_204],
	] as const;
	return {
		pools: isEmpty ? [{ name: "auto", readings: [] }] : poolHistories(now),
		spans: spans.map(([span, since, turns]) => ({
			span,
			since,
			all: isEmpty ? EMPTY_SUMS : sums(turns, turns),
			byClient: isEmpty ? [] : named([...KEYS.map(([key]) => key), NASTY], turns),
			byModel: isEmpty ? [] : named(MODELS, turns),
			byConversation: isEmpty ? [] : named(["c8f1a2", "c77b0e", "c2290d", "c11f43"], turns / 3),
		})),
		days: days.map((day, index) => ({ day, ...(isEmpty ? EMPTY_SUMS : sums(turnsOf(index), index)) })),
		firstTokens: isEmpty
			? []
			: days.map((day, index) => ({
					day,
					p50: 620 + chance(index) * 400,
					p95: 2_100 + chance(index + 50) * 3_500,
					gatewayMs: 0.6 + chance(index + 9) * 0.9,
				})),
		rungs: isEmpty
			? []
			: days.map((day, index) => ({
					day,
					new: Math.round(turnsOf(index) * 0.15),
					parked: Math.round(turnsOf(index) * (0.4 + chance(index) * 0.2)),
					checkpoint: Math.round(turnsOf(index) * 0.3),
					rebuild: Math.round(turnsOf(index) * 0.1 * chance(index + 3)),
				})),
		hours: isEmpty
			? []
			: Array.from({ length: 168 }, (_, index) => {
					const weekday = Math.floor(index / 24);
					const hour = index % 24;
					const work = Math.exp(-(((hour - 11) / 3.2) ** 2)) + 0.8 * Math.exp(-(((hour - 16) / 2.4) ** 2));
					return { weekday, hour, turns: Math.round(40 * work * (weekday > 4 ? 0.15 : 1) * chance(index + 77)) };
				}),
		limits: isEmpty
			? []
			: [
					{ name: "scripts, a day", used: 840_000, limit: 1_000_000, unit: "tokens" },
					{ name: "all, a month", used: 16.6, limit: 20, unit: "dollars" },
				],
	};
}

function poolHistories(now: number): PlanAnswer["pools"] {
	const periodStart = now - 19 * DAY;
	const readings = (end: number, bend: number) =>
		Array.from({ length: 77 }, (_, index) => ({
			at: periodStart + index * 6 * 60 * MINUTE,
			usedPercent: end * (index / 76) ** bend + (chance(index) - 0.5) * 0.4 * Math.min(1, index / 5),
		})).map((reading) => ({ ...reading, usedPercent: Math.max(0, reading.usedPercent) }));
	const [auto, api] = pools(now);
	return [
		{ ...auto!, periodStart, readings: readings(38.4, 1.1), percentAtReset: 61 },
		{ ...api!, periodStart, readings: readings(83.2, 1.3), runsOutAt: now + 3.1 * DAY, percentAtReset: 138 },
	];
}

export const models = (isEmpty: boolean, isNasty: boolean): ModelsAnswer => ({
	models: isEmpty
		? []
		: [...MODELS, ...(isNasty ? [NASTY] : [])].map((name, index) => ({
				name,
				contextTokens: [200_000, 272_000, 128_000, 1_000_000, 200_000][index],
				variants: index % 2 === 0 ? [`${name}-low`, `${name}-high`] : [],
				aliases: index === 0 ? ["sonnet", "claude-sonnet-4-5"] : [],
				pool: name === "composer-1" ? "auto" : "api",
				turns: [412, 260, 133, 64, 9, 1][index]!,
				errors: [9, 3, 0, 6, 0, 0][index]!,
				firstTokenMsP50: [840, 1_210, 390, 1_640, 2_310][index],
				tokensPerSecond: [71, 58, 142, 96, 44][index],
			})),
	unknown: isEmpty
		? []
		: [
				{ name: "gpt-4o-mini", turns: 14 },
				{ name: "claude-3-haiku", turns: 3 },
			],
});

export const clients = (now: number, isEmpty: boolean): ClientsAnswer => ({
	keys: isEmpty
		? []
		: [
				...KEYS.map(([name], index) => ({
					id: `k${index}`,
					name,
					prefix: `cw_${"a9f3c1"}${index}`,
					kind: "client" as const,
					createdAt: now - (20 + index) * DAY,
					lastUsedAt: index === 4 ? undefined : now - index * 47 * MINUTE,
					revokedAt: index === 3 ? now - 2 * DAY : undefined,
					concurrentTurns: index === 4 ? 2 : undefined,
					today: sums(Math.round(40 / (index + 1)), index),
				})),
				{ id: "k9", name: "prometheus", kind: "metrics" as const, createdAt: now - 3 * DAY, today: EMPTY_SUMS },
			],
	commands: [
		["claude-code", "Claude Code"],
		["codex", "Codex"],
		["opencode", "OpenCode"],
		["zed", "Zed"],
		["cline", "Cline"],
	].map(([client, title]) => ({
		client: client!,
		title: title!,
		connect: `cursorwire connect ${client}`,
		launch: client === "zed" ? undefined : `cursorwire launch ${client}`,
	})),
});

export const health = (now: number, isEmpty: boolean): HealthAnswer => ({
	findings: [
		{ name: "Node", status: "ok", message: "22.11.0 is supported." },
		isEmpty
			? { name: "Login", status: "error", message: "There is no login.", nextStep: "Run: cursorwire login" }
			: { name: "Login", status: "ok", message: "Signed in as ada@example.org until 14 January." },
		{
			name: "HTTP/2",
			status: "warning",
			message: "A proxy in between speaks HTTP/1.1 only. Turns work, with one more request per message.",
			nextStep: "Allow HTTP/2 to api2.cursor.sh, or leave it as it is.",
		},
		{ name: "Store", status: "ok", message: "SQLite, 12.4 MB." },
		{ name: "Clock", status: "ok", message: "0.2 s off." },
	],
	drift: isEmpty
		? []
		: [
				{ what: "field", name: "agent.v1.AgentServerMessage.19", count: 214, since: now - 5 * DAY, version: "2.1.14" },
				{ what: "model", name: "composer-2-preview", count: 3, since: now - DAY, version: "2.1.15" },
			],
	hosts: isEmpty
		? []
		: [
				{ host: "api2.cursor.sh", state: "closed" },
				{ host: "agent.api5.cursor.sh", state: "half-open" },
			],
});

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
