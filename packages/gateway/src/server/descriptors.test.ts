import { expect, it } from "vitest";
import { connectionsFor, openFilesLimit } from "./descriptors.ts";

it("allows fewer connections where fewer files may be open", () => {
	const allowed = [20, 64, 256, 1024, 4096, Number.POSITIVE_INFINITY].map((files) => connectionsFor(files, 1024));
	expect(allowed).toEqual([8, 12, 108, 492, 1024, 1024]);
});

it("reads the limit where the system tells it", () => {
	expect(openFilesLimit(() => "Max open files            256                  256                  files\n")).toBe(256);
	expect(openFilesLimit(() => "nothing of the sort")).toBe(Number.POSITIVE_INFINITY);
	const fail = () => {
		throw new Error("no such file");
	};
	expect(openFilesLimit(fail)).toBe(Number.POSITIVE_INFINITY);
});
