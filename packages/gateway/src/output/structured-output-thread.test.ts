import { describe, expect, it } from "vitest";
import { checkInThread } from "./structured-output-thread.ts";

const ask = (schema: object, ...candidates: string[]) => checkInThread({ schema: JSON.stringify(schema), candidates });

describe("the thread that checks replies", () => {
	it("finds the first candidate that fits, or what is wrong with the first that is JSON", async () => {
		expect(await ask({ type: "string" })).toEqual({ kind: "usable" });
		expect(await ask({ type: "string" }, "no JSON", "1", '"a"')).toEqual({ kind: "fits", candidate: '"a"' });
		expect(await ask({ type: "string" }, "no JSON", "1")).toEqual({
			kind: "wrong",
			problems: ["the answer must be string"],
		});
		expect(await ask({ type: "string" }, "")).toEqual({ kind: "wrong", problems: ["it is not JSON"] });
	});

	it("tells a schema that cannot be used, and an answer that cannot be checked", async () => {
		expect(await ask({ $ref: "https://example.test/b" })).toMatchObject({ kind: "unusable" });
		expect(await ask({ allOf: [{ $ref: "#" }] }, "1")).toEqual({ kind: "uncheckable" });
	});

	it("answers many at once, each its own question", async () => {
		const findings = await Promise.all(Array.from({ length: 40 }, (_, n) => ask({ const: n }, `${n % 2 ? n : -1}`)));
		expect(findings.map(({ kind }) => kind)).toEqual(findings.map((_, n) => (n % 2 ? "fits" : "wrong")));
	});

	it("B8: a pattern that backtracks for years holds nobody up, and is given up", async () => {
		const bomb = ask({ type: "string", pattern: "^(a+)+$" }, JSON.stringify(`${"a".repeat(60)}!`));
		let turns = 0;
		let isOver = false;
		void bomb.then(() => {
			isOver = true;
		});
		while (!isOver) {
			turns += 1;
			await new Promise((resolve) => setTimeout(resolve, 1));
		}
		expect(await bomb).toEqual({ kind: "uncheckable" });
		// The event loop of this thread kept running; a check in the same thread would have blocked it.
		expect(turns).toBeGreaterThan(10);
		expect(await ask({ type: "string" }, '"a"')).toMatchObject({ kind: "fits" });
	});
});
