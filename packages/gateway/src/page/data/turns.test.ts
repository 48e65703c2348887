import { expect, it } from "vitest";
import { ledgerRow } from "../../../test/store/sample-records.ts";
import type { StoredRow } from "../../store/ledger-reads.ts";
import { GatewayError } from "../../turn/error.ts";
import { anatomyOf, timelineOf } from "./turn.ts";
import { turnRow } from "./turn-row.ts";
import { newestOf, turnsQuery } from "./turns.ts";

const row = (changes: Partial<StoredRow> = {}): StoredRow => ({ id: 1, ...ledgerRow(), ...changes });
const nameOf = (caller: string) => `name of ${caller}`;

it.each([
	[{}, { limit: 100 }],
	[
		{ limit: "7", before: "99" },
		{ limit: 7, beforeId: 99 },
	],
	[{ limit: "100000" }, { limit: 500 }],
	[{ limit: "0" }, { limit: 1 }],
	[{ limit: "", before: "", model: "", path: "", error: "", slow: "" }, { limit: 100 }],
	[
		{ model: "gpt", path: "parked", error: "1", slow: "5000" },
		{ limit: 100, model: "gpt", path: "parked", errorsOnly: true, slowerThanMs: 5000 },
	],
	[{ error: "false", slow: "0" }, { limit: 100 }],
])("reads the query %j", (query, wanted) => {
	expect(turnsQuery(query)).toEqual(wanted);
});

it.each([{ limit: "many" }, { before: "-1" }, { slow: "1.5" }, { before: "99999999999999999" }])(
	"refuses the query %j",
	(query) => {
		expect(() => turnsQuery(query)).toThrow(GatewayError);
	},
);

it("puts the rows of several callers of one name together, newest first", () => {
	const found = [
		{ rows: [row({ id: 9 }), row({ id: 2 })], total: 2 },
		{ rows: [row({ id: 7 }), row({ id: 5 })], total: 12 },
	];
	const { rows, total } = newestOf(found, 3);
	expect(rows.map(({ id }) => id)).toEqual([9, 7, 5]);
	expect(total).toBe(14);
	expect(newestOf([], 3)).toEqual({ rows: [], total: 0 });
});

it("shows a row with the name of its key, its tools, and the next step of an error", () => {
	const shown = turnRow(row({ tools: "read,write", errorKind: "signed-out", status: 403, gatewayUs: 900 }), nameOf);
	expect(shown).toMatchObject({ key: "name of alice", tools: ["read", "write"], gatewayUs: 900 });
	expect(shown.errorMeaning).toBe("You are not signed in to Cursor: no login is stored.");
	expect(shown.nextStep).toBe("Run `cursorwire login`.");
	expect(shown).not.toHaveProperty("caller");
	expect(turnRow(row(), nameOf)).not.toHaveProperty("tools");
	expect(turnRow(row({ errorKind: "of-a-newer-version" }), nameOf)).not.toHaveProperty("nextStep");
});

it("shows no secret that a client sent as the name of a model", () => {
	expect(turnRow(row({ model: "sk-ant-api03-0123456789abcdef" }), nameOf).model).not.toContain("0123456789");
});

it("puts the steps of a turn into the order of time", () => {
	const times = { sentMs: 2, firstTokenMs: 30, firstThinkingMs: 30, firstTextMs: 55, firstCallMs: 40, latencyMs: 90 };
	expect(timelineOf(row(times)).map(({ step, atMs }) => [step, atMs])).toEqual([
		["request", 0],
		["sent", 2],
		["first token", 30],
		["thinking", 30],
		["tool call", 40],
		["text", 55],
		["end", 90],
	]);
	const { firstTokenMs: _, ...silent } = row({ errorKind: "internal", waitedMs: 500, latencyMs: 7 });
	expect(timelineOf(silent).map(({ step, atMs }) => [step, atMs])).toEqual([
		["parked", -500],
		["results", 0],
		["error", 7],
	]);
});

it("takes the prompt apart where its parts are known", () => {
	expect(anatomyOf(row())).toBeUndefined();
	expect(anatomyOf(row({ systemTokens: 10, resultTokens: 0, messageTokens: 4 }))).toEqual([
		{ part: "system", tokens: 10 },
		{ part: "results", tokens: 0 },
		{ part: "message", tokens: 4 },
	]);
});
