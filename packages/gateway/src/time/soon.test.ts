import { describe, expect, it } from "vitest";
import { orElse, soon } from "./soon.ts";

const fail = () => {
	throw new Error("no");
};

describe("going on with a value", () => {
	it("happens at once if it is known, whatever it is", () => {
		for (const value of [1, undefined, null, "", Number.NaN]) expect(soon(value, (known) => [known])).toEqual([value]);
	});

	it("happens later if it comes later", async () => {
		const order: string[] = [];
		const later = soon(Promise.resolve("value"), (value) => {
			order.push(value);
			return "result";
		});
		order.push("returned");
		expect(later).toBeInstanceOf(Promise);
		expect(await later).toBe("result");
		expect(order).toEqual(["returned", "value"]);
	});

	it("waits for a result that comes later", async () => {
		expect(await soon(1, async (value) => value + 1)).toBe(2);
		expect(await soon(Promise.resolve(1), async (value) => value + 1)).toBe(2);
	});

	it("fails where the value is known: at once with it, later without", async () => {
		expect(() => soon(1, fail)).toThrow("no");
		await expect(soon(Promise.resolve(1), fail)).rejects.toThrow("no");
		await expect(soon(Promise.reject(new Error("never")), () => "unreached")).rejects.toThrow("never");
	});
});

describe("work that may fail", () => {
	const told = (error: unknown) => `failed: ${(error as Error).message}`;

	it("has its result, at once or later", async () => {
		expect(orElse(() => "done", told)).toBe("done");
		expect(await orElse(async () => "done", told)).toBe("done");
	});

	it("is handled, whether it fails at once or later", async () => {
		expect(orElse(fail, told)).toBe("failed: no");
		expect(await orElse(async () => fail(), told)).toBe("failed: no");
	});

	it("fails with what the handler throws", async () => {
		const rethrow = (error: unknown) => {
			throw error;
		};
		expect(() => orElse(fail, rethrow)).toThrow("no");
		await expect(orElse(async () => fail(), rethrow)).rejects.toThrow("no");
	});
});
