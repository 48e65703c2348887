import { expect, it } from "vitest";
import { type Cause, conclude } from "./conclusion.ts";
import type { Finding } from "./run-doctor.ts";

const finding = (changes: Partial<Finding>): Finding => ({
	check: "node",
	title: "Node",
	status: "ok",
	text: "fine",
	...changes,
});
const failing = (changes: Partial<Finding>) => finding({ status: "failure", next: "Do it.", ...changes });
const news = finding({ check: "drift", status: "warning", text: "Cursor sends a.B.9", next: "Update." });

it("works where nothing failed; a warning is no failure", () => {
	const findings = [finding({}), finding({ check: "run-http2", status: "warning", next: "x" })];
	expect(conclude({ findings }, true)).toEqual({ state: "works", text: "Works." });
	expect(conclude({ findings }, false).text).toMatch(/without asking a model\.$/);
});

it("works with news, and names them", () => {
	expect(conclude({ findings: [finding({}), news] }, true)).toEqual({
		state: "works-with-news",
		text: "Works, but Cursor sends a.B.9",
		next: "Update.",
	});
});

it.each<[Partial<Finding>, Cause]>([
	[{ check: "run-http1", kind: "client-outdated" }, "old"],
	[{ check: "run-http1", kind: "upstream-protocol" }, "old"],
	[{ check: "models", kind: "upstream-deprecated" }, "old"],
	[{ check: "run-http1", kind: "upstream-unavailable" }, "vendor"],
	[{ check: "quota", kind: "upstream-timeout" }, "vendor"],
	[{ check: "run-http1", kind: "quota-exhausted" }, "account"],
	[{ check: "login" }, "account"],
	[{ check: "models" }, "account"],
	[{ check: "dns" }, "machine"],
	[{ check: "config" }, "machine"],
])("is broken: %j", (changes, cause) => {
	const findings = [finding({}), failing({ title: "It", text: "is so", ...changes }), failing({ check: "dns" }), news];
	const { state, text, ...rest } = conclude({ findings }, true);
	expect({ state, ...rest }).toEqual({ state: "broken", cause, next: "Do it." });
	expect(text).toMatch(/^Broken: .*\. It: is so$/);
});
