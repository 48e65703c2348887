// Rows of the table of upstream faults, through the whole product.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/time/clock.ts";
import type { TurnEvent } from "../../src/turn/event.ts";
import type { RunLimits } from "../../src/upstream/run/run-limits.ts";
import { until } from "../kit/cleanup.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { ManualClock } from "../kit/manual-clock.ts";
import { listen, startUpstream, user } from "../kit/upstream.ts";

const PROMPT = "a b c d e f";

/** A word at a time, so that what was said has left before something breaks. */
const slowly: Brain = async function* ({ prompt }) {
	for (const word of prompt.split(/(?= )/)) {
		yield { text: word };
		yield { delay: 5 };
	}
};

/** Text of an answer that has no end. */
const partial = ({ events }: { events: TurnEvent[] }) =>
	events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");

async function ask(faults: string[], limits: Partial<RunLimits> = {}) {
	const gateway = await startTestGateway({ emulator: { brain: slowly, faults }, limits });
	const response = await askIn(chatClient, gateway, { messages: [user(PROMPT)] });
	await until(() => gateway.emulator.stats().exchanges.open === 0);
	return { gateway, response };
}

describe("U1: GOAWAY without an error in the middle of a run", () => {
	it("lets the run finish on its connection, and the next one opens another", async () => {
		const { gateway, response } = await ask(["goaway@frame:3*1"]);
		expect(response).toMatchObject({ text: PROMPT, error: undefined });
		const before = gateway.emulator.stats().connections.h2;
		const next = await askIn(chatClient, gateway, { messages: [user("next")] });
		expect(next.text).toBe("next");
		expect(gateway.emulator.stats().connections.h2).toBe(before + 1);
	});
});

describe("U2: GOAWAY that says the run was not processed", () => {
	it("is tried again on another connection where nothing was said", async () => {
		const { gateway } = await ask([]);
		const before = gateway.emulator.stats().connections.h2;
		// The account is known by now, so that the fault meets the run and no call before it.
		gateway.emulator.addFault("goaway-refuse@headers*1");
		const response = await askIn(chatClient, gateway, { messages: [user(PROMPT)] });
		expect(response).toMatchObject({ text: PROMPT, error: undefined });
		expect(gateway.emulator.stats().connections.h2).toBe(before + 1);
	});
});

it("U3: GOAWAY with an error in the middle of an answer is a typed error", async () => {
	const { response } = await ask(["goaway=INTERNAL_ERROR@frame:6*1", "cut@frame:7*1"], { transportRetries: 0 });
	expect(response.error?.kind).toBe("upstream-reset");
});

describe("U4: RST_STREAM", () => {
	const CODES = ["PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "STREAM_CLOSED", "CANCEL"];
	it.each(["NO_ERROR", ...CODES, "REFUSED_STREAM", "ENHANCE_YOUR_CALM"])(
		"%s in the middle of an answer is a typed error",
		async (code) => {
			const { response } = await ask([`reset=${code}@frame:6`], { transportRetries: 0 });
			expect(response.error?.kind).toMatch(/^upstream-(reset|unavailable)$/);
			expect(response.turn.end).toBeUndefined();
		},
	);

	it("REFUSED_STREAM before the head is tried again", async () => {
		const { response } = await ask(["reset=REFUSED_STREAM@headers*1"]);
		expect(response).toMatchObject({ text: PROMPT, error: undefined });
	});
});

describe("U8: an upstream that accepts and says", () => {
	it("nothing at all is a timeout with status 504", async () => {
		const limits = { silenceMs: 300, transportRetries: 0, serverRetries: 0 };
		const { response } = await ask(["stall@headers"], limits);
		expect(response.error).toMatchObject({ kind: "upstream-timeout", status: 504 });
	});

	it("something and then nothing is an error in the stream", async () => {
		const { response } = await ask(["stall@frame:6"], { silenceMs: 300, transportRetries: 0 });
		expect(response.error?.kind).toBe("upstream-stalled");
		expect(partial(response)).not.toBe("");
	});
});

it("U9: heartbeats keep a turn alive, until its whole time is up", async () => {
	const clock = new ManualClock();
	const hour = 3_600_000;
	const upstream = await startUpstream({
		clock,
		wireClock: systemClock,
		limits: { heartbeatsOnlyMs: 10 * hour, wholeTurnMs: hour, silenceMs: 120_000 },
		emulator: {
			heartbeatMs: 2,
			async *brain() {
				yield { hang: "heartbeats" };
			},
		},
	});
	const run = upstream.newRun({ messages: [user("think")] });
	let beats = 0;
	const response = listen(
		(listener) => run.open(listener),
		({ type }) => {
			if (type === "activity") beats++;
		},
	);
	for (let minutes = 0; minutes < 59; minutes++) {
		const before = beats;
		await until(() => beats > before);
		clock.advance(60_000);
	}
	expect(run.phase).toBe("running");
	clock.advance(120_000);
	expect((await response).error?.kind).toBe("upstream-timeout");
	await until(() => upstream.emulator.stats().exchanges.open === 0);
});

it.each(["empty-frame=1000@frame:3*1", "slice=1@frame:2"])("U10, U11: %s changes nothing", async (fault) => {
	const { response } = await ask([fault]);
	expect(response).toMatchObject({ text: PROMPT, error: undefined });
});

it.each(["huge-length=4294967295@frame:6", "huge-length=17825792@frame:6", "huge-length=2147483648@frame:6"])(
	"U12: %s is refused before any memory is taken",
	async (fault) => {
		const before = process.memoryUsage().arrayBuffers;
		const { response } = await ask([fault]);
		expect(response.error?.kind).toBe("upstream-protocol");
		expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 << 20);
	},
);

describe("U13: a message that is flagged as compressed", () => {
	it("with gzip is inflated", async () => {
		const { response } = await ask(["gzip@frame:4"]);
		expect(response).toMatchObject({ text: PROMPT, error: undefined });
	});

	it.each(["unknown-coding@headers", "false-compressed@frame:4", "bomb=64@frame:4"])(
		"by %s is an error of the protocol",
		async (fault) => {
			const { response } = await ask([fault], { transportRetries: 0, serverRetries: 0 });
			expect(response.error?.kind).toBe("upstream-protocol");
		},
	);

	it("and would grow beyond any honest ratio is not inflated, however small it is", async () => {
		const { response } = await ask(["bomb=2@frame:4"], { transportRetries: 0, serverRetries: 0 });
		expect(response.error?.fullMessage).toContain("inflates to more than");
	});
});

describe("U14", () => {
	it.each(["double-end@end", "data-after-end@end"])("%s: what comes behind the end is dropped", async (fault) => {
		const { response } = await ask([fault]);
		expect(response).toMatchObject({ text: PROMPT, error: undefined });
	});

	it.each(["0x04", "0x40", "0x80"])("the flag %s is an error of the protocol", async (flag) => {
		const { response } = await ask([`reserved-flags=${flag}@frame:5`]);
		expect(response.error?.kind).toBe("upstream-protocol");
	});
});

describe("U15: text", () => {
	it("whose code point is split between frames is joined", async () => {
		const { response } = await ask(["split-code-point@frame:4*1"]);
		expect(response.text.replace("😀", "")).toBe(PROMPT);
	});

	it("with lone and overlong bytes has replacement characters in their place, and keeps BOM and NUL", async () => {
		const { response } = await ask(["bad-utf8@frame:4*1"]);
		const inserted = response.text.replace(/[a-f ]/g, "");
		expect(inserted).toMatch(/^\ufffd+\ufeff\0$/u);
	});
});

it("U16: an error after a part of the answer leaves that part, and no end", async () => {
	const { response } = await ask(["error=internal@frame:6"]);
	expect(response.error?.kind).toBe("upstream-error");
	expect(partial(response)).not.toBe("");
	expect(PROMPT.startsWith(partial(response))).toBe(true);
	expect(response.done).toBe(false);
	expect(response.turn.end).toBeUndefined();
});

describe("U17: a stream without its end", () => {
	const limits = { transportRetries: 0, serverRetries: 0 };
	it.each([
		["no-end-stream@frame:6", "upstream-reset"],
		["no-end-stream@end", undefined],
		["hollow@headers", "upstream-protocol"],
		["trailers-only@headers", "upstream-unavailable"],
	])("%s", async (fault, kind) => {
		const { response } = await ask([fault], limits);
		// Behind the message that ends the turn, the end of the stream adds nothing.
		expect(response.error?.kind).toBe(kind);
		if (kind === undefined) expect(response.text).toBe(PROMPT);
	});
});
