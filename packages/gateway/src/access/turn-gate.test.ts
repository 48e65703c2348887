import fc from "fast-check";
import { expect, it } from "vitest";
import { GatewayError } from "../turn/error.ts";
import { DEFAULT_TURN_LIMITS, TurnGate } from "./turn-gate.ts";

/** Without other gateways it is known at once. */
const kindOf = (result: ReturnType<TurnGate["enter"]>) => (result instanceof GatewayError ? result.kind : "entered");

it("lets 256 turns run, 64 of them for one caller", () => {
	expect(DEFAULT_TURN_LIMITS).toEqual({ total: 256, perCaller: 64, guests: 192 });
	const gate = new TurnGate();
	for (const id of ["a", "b", "c", "d"]) {
		for (let turn = 0; turn < 64; turn++) expect(kindOf(gate.enter({ id }))).toBe("entered");
		expect(kindOf(gate.enter({ id }))).toBe("caller-limit");
	}
	expect(kindOf(gate.enter({ id: "e" }))).toBe("overloaded");
});

it("keeps turns for the owner's keys that guests cannot take", () => {
	const gate = new TurnGate();
	for (let turn = 0; turn < 192; turn++) {
		expect(kindOf(gate.enter({ id: `guest ${turn}`, kind: "credential" }))).toBe("entered");
	}
	expect(kindOf(gate.enter({ id: "one more", kind: "credential" }))).toBe("overloaded");
	for (let turn = 0; turn < 64; turn++) expect(kindOf(gate.enter({ id: "owner", kind: "key" }))).toBe("entered");
	expect(kindOf(gate.enter({ id: "without keys", kind: "anonymous" }))).toBe("overloaded");
});

it("says when to come back", () => {
	const gate = new TurnGate({ total: 1, perCaller: 1 });
	gate.enter({ id: "a" });
	const [own, all] = [gate.enter({ id: "a" }), gate.enter({ id: "b" })] as GatewayError[];
	expect([own?.status, own?.retryAfterSeconds]).toEqual([429, 2]);
	expect([all?.status, all?.retryAfterSeconds]).toEqual([503, 2]);
});

it("frees one place for a turn that has ended, however often its end is reported", () => {
	const gate = new TurnGate({ total: 2, perCaller: 2 });
	const leave = gate.enter({ id: "a" }) as () => void;
	gate.enter({ id: "a" });
	leave();
	leave();
	expect(kindOf(gate.enter({ id: "b" }))).toBe("entered");
	expect(kindOf(gate.enter({ id: "b" }))).toBe("overloaded");
});

it("uses the limit of the key if it has one", () => {
	const gate = new TurnGate({ total: 10, perCaller: 2 });
	expect(kindOf(gate.enter({ id: "a", concurrentTurns: 0 }))).toBe("caller-limit");
	for (let turn = 0; turn < 5; turn++) gate.enter({ id: "b", concurrentTurns: 5 });
	expect(kindOf(gate.enter({ id: "b", concurrentTurns: 5 }))).toBe("caller-limit");
});

it("never lets more in than the limits allow", () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.boolean()), { maxLength: 100 }), (steps) => {
			const gate = new TurnGate({ total: 5, perCaller: 3 });
			const running: { id: string; leave: () => void }[] = [];
			const countOf = (id: string) => running.filter((turn) => turn.id === id).length;
			for (const [id, enters] of steps) {
				if (enters) {
					const expected = countOf(id) >= 3 ? "caller-limit" : running.length >= 5 ? "overloaded" : "entered";
					const entered = gate.enter({ id });
					expect(kindOf(entered)).toBe(expected);
					if (typeof entered === "function") running.push({ id, leave: entered });
				} else {
					const index = running.findIndex((turn) => turn.id === id);
					if (index >= 0) running.splice(index, 1)[0]!.leave();
				}
			}
		}),
	);
});
