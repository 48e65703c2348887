import type { ClientsAnswer, HealthAnswer, ModelsAnswer } from "../../gateway/src/page/contract.ts";
import { DAY, KEYS, MINUTE, MODELS, NASTY } from "./made-up.ts";
import { EMPTY_SUMS, keyLimits, sums } from "./plan.ts";

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
					kind: "client" as const,
					createdAt: now - (20 + index) * DAY,
					lastUsedAt: index === 4 ? undefined : now - index * 47 * MINUTE,
					revokedAt: index === 3 ? now - 2 * DAY : undefined,
					concurrentTurns: index === 4 ? 2 : undefined,
					limits: index === 1 ? keyLimits(now) : [],
					today: sums(Math.round(40 / (index + 1)), index),
				})),
				{
					id: "k9",
					name: "prometheus",
					kind: "metrics" as const,
					createdAt: now - 3 * DAY,
					limits: [],
					today: EMPTY_SUMS,
				},
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
