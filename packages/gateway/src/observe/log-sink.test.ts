import { describe, expect, it } from "vitest";
import { createLog } from "./log.ts";
import { LogSink } from "./log-sink.ts";

const HOUR = 3_600_000;

function setUp(mostWaiting = 100) {
	const time = { at: 0 };
	const written: string[] = [];
	let release: ((error?: Error) => void) | undefined;
	const sink = new LogSink({
		now: () => time.at,
		mostWaiting,
		output(text, done) {
			written.push(text);
			release = done;
		},
	});
	return { sink, time, written, let: (error?: Error) => release!(error) };
}

describe("O8: a log that is slow or gone", () => {
	it("gets lines in order, together where they had to wait", () => {
		const { sink, written, let: finish } = setUp();
		for (const line of ["a\n", "b\n", "c\n"]) sink.write(line);
		expect(written).toEqual(["a\n"]);
		finish();
		expect(written).toEqual(["a\n", "b\nc\n"]);
		finish();
		expect(sink.dropped).toBe(0);
		expect(sink.problems()).toEqual([]);
	});

	it("costs no more memory than was set, counts what it drops, and says so when it goes on", () => {
		const { sink, time, written, let: finish } = setUp();
		sink.write("first\n");
		for (let number = 0; number < 1000; number++) sink.write("0123456789");
		expect(sink.dropped).toBe(990);
		expect(sink.problems()).toEqual([{ name: "log", reason: "990 lines of the log were dropped" }]);
		finish();
		const [confession] = written[1]!.split("\n");
		expect(JSON.parse(confession!)).toMatchObject({ level: 40, dropped: 990 });
		expect(written[1]!.slice(confession!.length + 1)).toBe("0123456789".repeat(10));
		finish();
		sink.write("later\n");
		expect(written[2]).toBe("later\n");
		time.at += HOUR + 1;
		expect(sink.problems()).toEqual([]);
		expect(sink.dropped).toBe(990);
	});

	it("that fails loses what it was given, and is tried again with the next line", () => {
		const { sink, written, let: finish } = setUp();
		sink.write("lost\n");
		finish(new Error("EPIPE"));
		expect(sink.dropped).toBe(1);
		sink.write("next\n");
		expect(written[1]).toMatch(/"dropped":1.*\nnext\n$/);
		// Still failing: both stay untold.
		finish(new Error("EPIPE"));
		expect(sink.dropped).toBe(2);
		sink.write("third\n");
		expect(written[2]).toMatch(/"dropped":2/);
	});

	it("keeps nobody waiting at the end", async () => {
		const { sink, let: finish } = setUp();
		await sink.drain(60_000);
		sink.write("a\n");
		sink.write("b\n");
		await sink.drain(1);
		const drained = sink.drain(60_000);
		finish();
		finish();
		await drained;
		expect(sink.takeRest()).toBe("");
	});

	it("is a line of JSON an event", () => {
		const { sink, written } = setUp(10_000);
		createLog("info", sink).warn({ what: 1 }, "text");
		expect(JSON.parse(written[0]!)).toMatchObject({ level: 40, what: 1, msg: "text" });
	});
});
