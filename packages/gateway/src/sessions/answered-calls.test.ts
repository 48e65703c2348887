import { describe, expect, it } from "vitest";
import { SharedReply } from "../upstream/run/shared-reply.ts";
import { AnsweredCalls } from "./answered-calls.ts";

const RUN = { pause() {}, resume() {}, cancel() {} };
const MINUTE = 60_000;

function replyOf(characters = 0): SharedReply {
	const reply = new SharedReply(RUN, "", { name: "m", description: "m" });
	reply.events([{ type: "text-delta", text: "x".repeat(characters) }]);
	return reply;
}

const given = (results: Record<string, string>, { frame = "frame", said = "" } = {}) => ({
	hashes: new Map(Object.entries(results)),
	frame,
	said,
});

describe("answered calls", () => {
	it("know results again, and tell other ones", () => {
		const answered = new AnsweredCalls();
		const reply = replyOf();
		answered.add("me", given({ a: "1", b: "2" }), reply, 0);
		expect(answered.compare("me", given({ b: "2", a: "1" }))).toEqual({ kind: "same", reply });
		expect(answered.compare("me", given({ a: "1", b: "3" }))).toEqual({ kind: "fork" });
		expect(answered.compare("me", given({ c: "1" }))).toEqual({ kind: "new" });
	});

	it("do not know what another caller, another agent or another message brings", () => {
		const answered = new AnsweredCalls();
		answered.add("me", given({ a: "1" }), replyOf(), 0);
		expect(answered.compare("you", given({ a: "2" }))).toEqual({ kind: "new" });
		expect(answered.compare("me", given({ a: "2" }, { frame: "another" }))).toEqual({ kind: "new" });
		expect(answered.compare("me", given({ a: "1" }, { said: "and?" }))).toEqual({ kind: "new" });
	});

	it("are forgotten after a while", () => {
		const answered = new AnsweredCalls();
		answered.add("me", given({ a: "1" }), replyOf(), 0);
		answered.add("me", given({ b: "1" }), replyOf(), 4 * MINUTE);
		answered.add("me", given({ c: "1" }), replyOf(), 6 * MINUTE);
		const kinds = ["a", "b", "c"].map((call) => answered.compare("me", given({ [call]: "1" })).kind);
		expect(kinds).toEqual(["new", "same", "same"]);
	});

	it("are forgotten, the oldest first, where there are too many or they are too long", () => {
		const many = new AnsweredCalls();
		for (let call = 0; call < 1_002; call++) many.add("me", given({ [call]: "1" }), replyOf(), 0);
		expect(["0", "1", "2"].map((call) => many.compare("me", given({ [call]: "1" })).kind)).toEqual([
			"new",
			"new",
			"same",
		]);

		const long = new AnsweredCalls();
		const reply = replyOf(4_000_000);
		for (let call = 0; call < 18; call++) long.add("me", given({ [call]: "1", [`${call}b`]: "1" }), reply, 0);
		expect(["0", "1", "2"].map((call) => long.compare("me", given({ [call]: "1" })).kind)).toEqual([
			"new",
			"new",
			"same",
		]);
	});

	it("count what a reply says after its results were taken", () => {
		const answered = new AnsweredCalls();
		const replies = Array.from({ length: 18 }, () => replyOf());
		for (const [call, reply] of replies.entries()) answered.add("me", given({ [call]: "1" }), reply, 0);
		for (const reply of replies) reply.events([{ type: "text-delta", text: "x".repeat(4_000_000) }]);
		answered.add("me", given({ last: "1" }), replyOf(), 0);
		const kinds = ["0", "1", "2", "last"].map((call) => answered.compare("me", given({ [call]: "1" })).kind);
		expect(kinds).toEqual(["new", "new", "same", "same"]);
	});

	it("are not measured again once their replies are over", () => {
		let measured = 0;
		class Measured extends SharedReply {
			override get size(): number {
				measured++;
				return super.size;
			}
		}
		const answered = new AnsweredCalls();
		for (let call = 0; call < 500; call++) {
			const reply = new Measured(RUN, "", { name: "m", description: "m" });
			answered.add("me", given({ [call]: "1" }), reply, 0);
			reply.events([{ type: "turn-end", reason: "stop" }]);
		}
		expect(measured).toBeLessThan(1_100);
	});
});
