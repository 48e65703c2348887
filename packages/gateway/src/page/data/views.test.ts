import { afterEach, expect, it } from "vitest";
import { callerOfKey } from "../../access/caller.ts";
import { CLIENTS } from "../../connect/clients.ts";
import type { Standing } from "../../guard/standings.ts";
import { LAUNCH_CLIENTS, launchName } from "../../launch/clients.ts";
import type { StoredKey } from "../../store/store.ts";
import { setStartedAs } from "../../text/as-started.ts";
import type { SeenModel } from "../../upstream/catalog/model.ts";
import { type ClientFacts, clientsAnswer } from "./clients.ts";
import { healthAnswer } from "./health.ts";
import { modelsAnswer } from "./models.ts";

afterEach(() => setStartedAs("cursorwire"));

const model = (id: string, changes: Partial<SeenModel> = {}): SeenModel => ({
	...{ id, displayName: id, aliases: [], contextWindow: 200_000, thinking: false, images: true },
	...{ parameters: [], variants: [], firstSeen: 0 },
	...changes,
});
const variant = (slug: string) => ({
	...{ slug, displayName: slug, aliases: [], isDefault: false, maxMode: false },
	parameters: { effort: slug },
});

it("lists models with their variants, and counts what variants answered for their model", () => {
	const models = [model("default"), model("opus", { variants: [variant("opus-high")], aliases: ["big"], pool: "api" })];
	const answered = [
		{ name: "opus-high", turns: 7, errors: 2, firstTokenP50: 800, tokensPerSecond: 40 },
		{ name: "opus", turns: 3, errors: 0, firstTokenP50: 500 },
		{ name: "gone", turns: 1, errors: 0 },
	];
	const answer = modelsAnswer(models, { answered, unanswered: [{ name: "gpt-99", turns: 4 }] });
	expect(answer.models).toEqual([
		{ name: "auto", contextTokens: 200_000, variants: [], aliases: ["default"], turns: 0, errors: 0 },
		{
			...{ name: "opus", contextTokens: 200_000, variants: ["opus-high"], aliases: ["big"], pool: "api" },
			...{ turns: 10, errors: 2, firstTokenMsP50: 800, tokensPerSecond: 40 },
		},
		{ name: "gone", variants: [], aliases: [], turns: 1, errors: 0 },
	]);
	expect(answer.unknown).toEqual([{ name: "gpt-99", turns: 4 }]);
});

const KEY: StoredKey = { id: "k", name: "laptop", hash: "h", createdAt: 5, limits: { concurrentTurns: 2 } };
const FACTS: ClientFacts = { keys: [], today: [], lastTurns: new Map(), standings: [], launchName };
const STANDING: Standing = {
	limit: {
		...{ id: "l1", amount: 20, unit: "turns", window: "day", mode: "watch", createdAt: 1, changedAt: 1 },
		scope: { key: "k" },
	},
	...{ text: "20 turns/day watch", used: 4, resetsAt: 99 },
};
const BAR = {
	...{ id: "l1", name: "20 turns/day watch", used: 4, limit: 20, unit: "turns", key: "laptop", resetsAt: 99 },
	state: "watches",
};
const SUMS = { turns: 3, errors: 1, inputTokens: 9, cachedTokens: 0, outputTokens: 1, reasoningTokens: 0 };

it("shows keys with their use today, and nothing from which a key could be made", () => {
	const revoked = { ...KEY, id: "r", name: "old", kind: "metrics" as const, revokedAt: 9, lastUsedAt: 8 };
	const { keys } = clientsAnswer({
		...FACTS,
		keys: [KEY, revoked],
		today: [{ name: callerOfKey(KEY).id, ...SUMS }],
		lastTurns: new Map([[callerOfKey(KEY).id, 7]]),
		standings: [STANDING],
	});
	expect(keys).toEqual([
		{
			...{ id: "k", name: "laptop", kind: "client", createdAt: 5, lastUsedAt: 7, concurrentTurns: 2 },
			limits: [BAR],
			today: SUMS,
		},
		{
			...{ id: "r", name: "old", kind: "metrics", createdAt: 5, lastUsedAt: 8, revokedAt: 9, concurrentTurns: 2 },
			limits: [],
			today: { turns: 0, errors: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 },
		},
	]);
});

it("has a command for every client, as it can be typed", () => {
	setStartedAs("npx cursorwire");
	const { commands } = clientsAnswer(FACTS);
	expect(commands.map(({ client }) => client)).toEqual([...Object.keys(CLIENTS), "copilot"]);
	expect(commands).toContainEqual({
		...{ client: "claude-code", title: "Claude Code", connect: "npx cursorwire connect claude-code" },
		launch: "npx cursorwire launch claude",
	});
	expect(commands).toContainEqual({ client: "zed", title: "Zed", connect: "npx cursorwire connect zed" });
	const launched = commands.flatMap(({ launch }) => launch?.split(" ").at(-1) ?? []);
	expect(launched.sort()).toEqual(Object.keys(LAUNCH_CLIENTS).sort());
});

it("shows findings, drift with the version since when, and hosts", () => {
	setStartedAs("npx cursorwire");
	const finding = {
		check: "login",
		title: "Login",
		status: "failure",
		text: "signed out",
		next: "Run `cursorwire login`.",
	};
	const news = { what: "field", path: "a.B.9", message: "a.B", field: 9, wireType: "varint" } as const;
	const seen = { clientVersion: "cli-1", count: 3, firstSeen: 10, lastSeen: 20 };
	expect(
		healthAnswer(
			[finding as never, { ...finding, status: "ok" } as never],
			[{ ...news, ...seen }],
			[{ host: "api2.example", state: "closed" }],
		),
	).toEqual({
		findings: [
			{ name: "Login", status: "error", message: "signed out", nextStep: "Run `npx cursorwire login`." },
			{ name: "Login", status: "ok", message: "signed out", nextStep: "Run `npx cursorwire login`." },
		],
		drift: [{ what: "new field", name: "a.B.9 (varint)", count: 3, since: 10, version: "cli-1" }],
		hosts: [{ host: "api2.example", state: "closed" }],
	});
});
