import { expect, it } from "vitest";
import { maskSecrets } from "./mask-secrets.ts";

const TOKEN = `eyJhbGciOiJIUzI1NiJ9.${"a".repeat(40)}.${"b".repeat(20)}`;

it.each([
	[`the token ${TOKEN} is not valid`, "the token (token) is not valid"],
	[`cookie user_01%3A%3A${TOKEN}; path=/`, "cookie user_01%3A%3A(token); path=/"],
	[`cut off: ${TOKEN.slice(0, 30)}`, "cut off: (token)"],
	["Authorization: Bearer abc.def", "Authorization: Bearer (token)"],
	[`authorization: bearer ${TOKEN}`, "authorization: bearer (token)"],
	["key_0123456789abcdef was revoked, crsr_0123456789 too", "(key) was revoked, (key) too"],
	["sk-ant-api03-0123456789", "(key)"],
	["cw_0123456789abcdef", "cw_(key)"],
	["a key_word, the eyewitness and a bearer", "a key_word, the eyewitness and a bearer"],
])("%s", (text, masked) => {
	expect(maskSecrets(text)).toBe(masked);
	expect(maskSecrets(masked)).toBe(masked);
});
