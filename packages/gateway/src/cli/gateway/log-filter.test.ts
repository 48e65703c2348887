import { expect, it } from "vitest";
import { SettingError } from "../../config/settings.ts";
import { type LogFilterFlags, logFilter } from "./log-filter.ts";

const TIME = "2026-11-16T12:00:00.000Z";
const ENTRIES = {
	turn: { level: 30, time: TIME, msg: "turn", client: "codex", key: "default", model: "a", requestId: "req_1" },
	failed: { level: 30, time: TIME, msg: "turn", client: "codex", key: "laptop", model: "b", errorKind: "internal" },
	refused: { level: 40, time: TIME, msg: "refused", errorKind: "bad-key" },
	mistake: { level: 50, time: TIME, msg: "a mistake of the gateway" },
};

it.each<[LogFilterFlags, string[]]>([
	[{}, ["turn", "failed", "refused", "mistake"]],
	[{ level: "warn" }, ["refused", "mistake"]],
	[{ level: "error" }, ["mistake"]],
	[{ errors: true }, ["failed", "refused", "mistake"]],
	[{ client: "codex" }, ["turn", "failed"]],
	[{ client: "laptop" }, ["failed"]],
	[{ key: "laptop" }, ["failed"]],
	[{ key: "codex" }, []],
	[{ model: "a" }, ["turn"]],
	[{ request: "req_1" }, ["turn"]],
	[{ errors: true, client: "codex" }, ["failed"]],
])("%j shows %j", (flags, names) => {
	const wanted = logFilter(flags);
	expect(Object.entries(ENTRIES).flatMap(([name, entry]) => (wanted(entry) ? name : []))).toEqual(names);
});

it("does not know every level", () => {
	expect(() => logFilter({ level: "loud" })).toThrow(SettingError);
});
