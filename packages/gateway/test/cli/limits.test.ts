// `cursorwire limits`, as it is typed.
import { beforeEach, describe, expect, it } from "vitest";
import { type Finished, runProgram, temporaryFolder } from "../kit/program.ts";

interface Listed {
	id: string;
	text: string;
	amount: number;
	mode: string;
	isPaused?: true;
	used: number | null;
	resetsAt: string | null;
	scope: { key?: string };
}

let run: (...args: string[]) => Promise<Finished>;
beforeEach(() => {
	const env = { CURSORWIRE_DATA_DIR: temporaryFolder() };
	run = (...args) => runProgram(args, env);
});

const listed = async (): Promise<Listed[]> => JSON.parse((await run("limits", "list", "--json")).out).limits;

/** What the command prints, when all is well. */
async function said(...args: string[]): Promise<string> {
	const { code, out, err } = await run("limits", ...args);
	expect({ code, err }).toEqual({ code: 0, err: "" });
	return out;
}

describe("a limit", () => {
	it("is added, raised, paused, resumed and removed, and the list says so each time", async () => {
		expect(await said()).toBe('No limits. `cursorwire limits add "20 turns/day"` adds one.\n');
		expect(await said("add", "20", "turns/day")).toMatch(
			/^Added: 20 turns\/day \([0-9a-f]{8}\)\. A running gateway notices within a second\.\n$/,
		);
		const [{ id, ...limit }] = (await listed()) as [Listed];
		expect(limit).toMatchObject({ text: "20 turns/day", amount: 20, mode: "stop", used: 0, scope: {} });
		expect(new Date(limit.resetsAt!).getTime()).toBeGreaterThan(Date.now());
		expect(await said()).toMatch(
			new RegExp(
				`^ID +LIMIT[^\n]*\n${id} +20 turns/day +all +0 turns \\(0%\\) +\\d{4}-\\d\\d-\\d\\d 00:00 +in force\n$`,
			),
		);

		expect(await said("raise", id, "40")).toBe(`Raised: 40 turns/day (${id}).\n`);
		expect(await said("raise", id, "30 turns")).toBe(`Lowered: 30 turns/day (${id}).\n`);
		expect(await said("pause", id)).toMatch(/^Paused: 30 turns\/day /);
		expect(await listed()).toMatchObject([{ id, amount: 30, isPaused: true }]);
		expect(await said()).toMatch(/ paused\n$/);
		expect(JSON.parse(await said("resume", id, "--json"))).toMatchObject({ id, text: "30 turns/day" });
		expect((await listed())[0]).not.toHaveProperty("isPaused");
		expect(await said("remove", id)).toBe(`Removed: 30 turns/day (${id}).\n`);
		expect(await listed()).toEqual([]);
	});

	it("is for a key by its name, watches, or lets a turn end", async () => {
		const { id: key } = JSON.parse((await run("keys", "add", "robot", "--json")).out);
		await said("add", "1M tokens/week on claude-*", "--key", "robot", "--watch");
		await said("add", "60 turns per conversation", "--finish");
		await said("add", "80% of api");
		expect(await listed()).toMatchObject([
			{ text: "1M tokens/week on claude-* watch", mode: "watch", scope: { key } },
			{ text: "60 turns per conversation finish", mode: "finish", used: null, resetsAt: null },
			{ text: "80% of api/period", used: null },
		]);
		const table = await said("list");
		expect(table).toMatch(/ robot +0 tokens \(0%\) .* watches\n/);
		expect(table).toMatch(/ by conversation +never +in force\n/);
		expect(table).toMatch(/ not known /);
	});
});

it("what cannot be understood is said on one line, with exit code 2, and changes nothing", async () => {
	const { id } = JSON.parse(await said("add", "20 turns/day", "--json"));
	const WRONG: [string[], RegExp][] = [
		[["add", "lots of turns"], /^limits add: takes a limit such as "20 turns\/day"/],
		[["add", "20 turns/fortnight"], /^limits add: /],
		[["add", "20 turns/day", "--watch", "--finish"], /^choose one of --watch and --finish$/],
		[["add", "20 turns/day", "--key", "nobody"], /^--key: there is no single key with the id or name "nobody"; /],
		[["raise", id, "40 tokens"], /^limits raise: the limit counts turns, not tokens$/],
		[["raise", id, "more"], /^limits raise: takes /],
		[["raise", "00000000", "40"], /^there is no limit with the id "00000000"; `cursorwire limits` lists them$/],
		[["pause", "00000000"], /^there is no limit with the id "00000000"/],
		[["remove", "00000000"], /^there is no limit with the id "00000000"/],
		[["lower", id], /^unknown command 'limits lower'; choose list, add, raise, pause, resume or remove$/],
	];
	for (const [args, line] of WRONG) {
		const { code, out, err } = await run("limits", ...args);
		expect({ args, code, out }).toEqual({ args, code: 2, out: "" });
		expect(err.trim()).toMatch(line);
	}
	expect(await listed()).toMatchObject([{ id, text: "20 turns/day", amount: 20 }]);
});
