import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { longestWritten } from "../../test/kit/longest-written.ts";
import { SLICE_LENGTH } from "../time/slices.ts";
import { sendLargeJson } from "./send-json.ts";

/** What a client gets, and the length of the longest text that was written for it. */
async function sent(body: object): Promise<{ answer: Response; text: string; longest: number }> {
	const server = createServer((_request, response) => void sendLargeJson(response, { "x-more": "1" }, body));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const { given, longest } = await longestWritten(async () => {
		const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
		return { answer, text: await answer.text() };
	});
	return { ...given, longest };
}

it.each([
	["short", { text: "é" }],
	["long", { text: "é".repeat(5 * SLICE_LENGTH), list: Array(10_000).fill({ a: 1 }) }],
])(
	"a %s body arrives as what it is, with its length, and none is written out in one long piece",
	async (_name, body) => {
		const { answer, text, longest } = await sent(body);
		expect(text).toBe(JSON.stringify(body));
		expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
		expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
		expect(answer.headers.get("x-more")).toBe("1");
		expect(longest).toBeLessThanOrEqual(2 * SLICE_LENGTH);
	},
);
