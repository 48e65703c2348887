import { describe, expect, it } from "vitest";
import { ManualClock } from "../../test/kit/manual-clock.ts";
import { FactLog } from "./fact-log.ts";
import type { Refused } from "./facts.ts";
import { LogBook } from "./log-book.ts";

const MINUTE = 60_000;
const WRONG_KEY: Refused = { type: "refused", status: 401, errorKind: "bad-key", reason: "No.", nextStep: "Do." };
const NO_PATH: Refused = { ...WRONG_KEY, status: 404, errorKind: "not-found" };

function setUp() {
	const clock = new ManualClock();
	const writer = { info() {}, warn() {}, error() {} };
	const book = new LogBook(writer, () => 0);
	const log = new FactLog(book, clock);
	const lines = () =>
		book.entries().map(({ entry: { level, errorKind, refusals } }) => `${level} ${errorKind} ${refusals ?? ""}`.trim());
	const refuse = (fact: Refused, times: number) => {
		for (let time = 0; time < times; time++) log.write(fact);
	};
	return { clock, log, lines, refuse };
}

describe("refusals in the log", () => {
	it("are told one by one at first, then counted once a minute, for each cause apart", () => {
		const { clock, lines, refuse } = setUp();
		refuse(WRONG_KEY, 1_000);
		refuse(NO_PATH, 2);
		const first = [...Array(5).fill("40 bad-key"), ...Array(2).fill("30 not-found")];
		expect(lines()).toEqual(first);
		clock.advance(MINUTE);
		expect(lines()).toEqual([...first, "40 bad-key 995"]);
		// The storm goes on: only its count is told.
		refuse(WRONG_KEY, 300);
		clock.advance(MINUTE);
		expect(lines()).toEqual([...first, "40 bad-key 995", "40 bad-key 300"]);
	});

	it("are told one by one again after a quiet minute", () => {
		const { clock, lines, refuse } = setUp();
		refuse(WRONG_KEY, 6);
		clock.advance(MINUTE);
		clock.advance(MINUTE);
		refuse(WRONG_KEY, 1);
		expect(lines().slice(-2)).toEqual(["40 bad-key 1", "40 bad-key"]);
	});

	it("that were only counted are told at the end", () => {
		const { log, lines, refuse } = setUp();
		refuse(WRONG_KEY, 7);
		log.close();
		expect(lines().at(-1)).toBe("40 bad-key 2");
	});
});

describe("the book of the log", () => {
	it("keeps the last thousand entries, in order and numbered", () => {
		const book = new LogBook({ info() {}, warn() {}, error() {} }, () => 0);
		for (let number = 1; number <= 2_500; number++) book.write("info", { number }, "x");
		const entries = book.entries();
		expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: 1_000 }, (_, index) => 1_501 + index));
		expect(entries.every(({ id, entry }) => entry.number === id)).toBe(true);
	});

	it("hands new entries to all who follow, until they stop", () => {
		const book = new LogBook({ info() {}, warn() {}, error() {} }, () => 0);
		const seen: string[] = [];
		const stop = book.follow(({ id }) => seen.push(`one ${id}`));
		book.follow(({ id }) => seen.push(`two ${id}`));
		book.write("warn", {}, "x");
		stop();
		book.write("warn", {}, "x");
		expect(seen).toEqual(["one 1", "two 1", "two 2"]);
	});
});
