import { describe, expect, it } from "vitest";
import { newId } from "./new-id.ts";

const MANY = 20_000;

describe("a new id", () => {
	const ids = Array.from({ length: MANY }, newId);

	it("has the form of a random UUID", () => {
		const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
		expect(ids.filter((id) => !form.test(id))).toEqual([]);
	});

	it("is no other id", () => {
		expect(new Set(ids).size).toBe(MANY);
	});

	it("is random in all of its digits but two", () => {
		const digits = ids[0]!.replaceAll("-", "").length;
		const seen = Array.from({ length: digits }, (_, at) => new Set(ids.map((id) => id.replaceAll("-", "")[at])).size);
		// The version has one value and the variant four.
		expect(seen).toEqual(Array.from({ length: digits }, (_, at) => ({ 12: 1, 16: 4 })[at] ?? 16));
	});
});
