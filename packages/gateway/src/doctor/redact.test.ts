import { expect, it } from "vitest";
import { redact } from "./redact.ts";

it.each([
	["key cw_2N9VfMxwxJU4A7nscEEAO2evFZ39", "key cw_(key)"],
	["token eyJhbGciOi.eyJzdWIiOiJhdXRo.c2lnbmF0dXJl!", "token (token)!"],
	["crsr_0123456789abcdef, sk-ant-api03-xyz", "(key), (key)"],
	["authorization: Bearer abc.def", "authorization: Bearer (token)"],
	["through http://me:pass@proxy:8080", "through http://(login)@proxy:8080"],
	["ada@example.test is signed in", "(address) is signed in"],
	["/home/ada/.config/cursorwire on adas-laptop", "~/.config/cursorwire on (host)"],
	["user_01HXADA0123", "(user)"],
	["model claude-4.6-opus, status 502", "model claude-4.6-opus, status 502"],
])("%s", (text, redacted) => {
	expect(redact(text, { "/home/ada": "~", "adas-laptop": "(host)", "": "x" })).toBe(redacted);
});
