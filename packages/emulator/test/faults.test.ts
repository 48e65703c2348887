import { connect as connectH2, constants } from "node:http2";
import { gunzipSync } from "node:zlib";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AgentClientMessageSchema, AgentServerMessageSchema } from "@cursorwire/protocol/agent";
import { describe, expect, it } from "vitest";
import { FAULTS } from "../src/faults/catalogue.ts";
import { parseFault } from "../src/faults/fault.ts";
import type { Emulator } from "../src/index.ts";
import { useEmulators } from "./kit/emulators.ts";
import { accessToken, RunClient, textResult } from "./kit/run-client.ts";

const start = useEmulators();

interface Frame {
	flags: number;
	payload: Buffer;
}

interface Raw {
	status: number | undefined;
	headers: Record<string, unknown>;
	trailers: Record<string, unknown>;
	body: Buffer;
	/** Whole envelopes, and what was left over behind them. */
	frames: Frame[];
	rest: Buffer;
	chunks: Buffer[];
	/** RST_STREAM code, or -1 when the connection broke. */
	resetCode: number | undefined;
	goaway: { code: number; lastStreamId: number } | undefined;
	/** True when the stream was still open after the waiting time. */
	open: boolean;
}

const REQUEST = toBinary(
	AgentClientMessageSchema,
	create(AgentClientMessageSchema, {
		message: {
			case: "runRequest",
			value: {
				conversationState: {},
				action: {
					action: { case: "userMessageAction", value: { userMessage: { text: "a b c d e f" }, requestContext: {} } },
				},
				mcpTools: {},
				conversationId: "c",
				requestedModel: { modelId: "composer-1" },
			},
		},
	}),
);

/** A run at byte level: node's HTTP/2 client and nothing of ours. Blob writes are answered by their raw id. */
async function raw(emulator: Emulator, hasSeenAll?: (seen: Raw) => boolean): Promise<Raw> {
	const token = await accessToken(emulator);
	const session = connectH2(emulator.url);
	const result: Raw = {
		status: undefined,
		headers: {},
		trailers: {},
		body: Buffer.alloc(0),
		frames: [],
		rest: Buffer.alloc(0),
		chunks: [],
		resetCode: undefined,
		goaway: undefined,
		open: false,
	};
	session.on("error", () => {});
	session.on("goaway", (code, lastStreamId) => {
		result.goaway = { code, lastStreamId };
	});
	const stream = session.request({
		":method": "POST",
		":path": "/agent.v1.AgentService/Run",
		"content-type": "application/connect+proto",
		"connect-accept-encoding": "gzip",
		authorization: `Bearer ${token}`,
	});
	stream.write(envelope(REQUEST));
	stream.on("response", (headers) => {
		result.status = headers[":status"];
		result.headers = headers;
	});
	stream.on("trailers", (trailers) => {
		result.trailers = trailers;
	});
	let answered = 0;
	stream.on("data", (chunk: Buffer) => {
		result.chunks.push(chunk);
		const { frames } = split(Buffer.concat(result.chunks));
		for (; answered < frames.length; answered++)
			answerBlob(frames[answered]!, (reply) => stream.write(envelope(reply)));
	});
	stream.on("error", () => {});
	const closed = new Promise<void>((resolve) => {
		stream.on("close", () => {
			result.resetCode = stream.rstCode;
			resolve();
		});
		session.on("close", () => resolve());
	});
	stream.on("end", () => stream.end());
	const soFar = () => ({ ...result, open: !stream.closed, ...bodyOf(result.chunks) });
	if (!hasSeenAll) await closed;
	else await staysOpen(closed, () => hasSeenAll(soFar()));
	const seen = soFar();
	session.destroy();
	return seen;
}

function bodyOf(chunks: Buffer[]): Pick<Raw, "body" | "frames" | "rest"> {
	const body = Buffer.concat(chunks);
	return { body, ...split(body) };
}

/** Waits for what has to come, however long it takes, and then a little for what must not come. */
async function staysOpen(closed: Promise<void>, hasSeenAll: () => boolean): Promise<void> {
	let isClosed = false;
	closed.then(() => (isClosed = true));
	const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
	while (!isClosed && !hasSeenAll()) await later(10);
	await Promise.race([closed, later(300)]);
}

function envelope(payload: Uint8Array): Buffer {
	const header = Buffer.alloc(5);
	header.writeUInt32BE(payload.length, 1);
	return Buffer.concat([header, payload]);
}

function split(body: Buffer): { frames: Frame[]; rest: Buffer } {
	const frames: Frame[] = [];
	let at = 0;
	while (body.length - at >= 5 && body.length - at - 5 >= body.readUInt32BE(at + 1)) {
		const length = body.readUInt32BE(at + 1);
		frames.push({ flags: body[at]!, payload: body.subarray(at + 5, at + 5 + length) });
		at += 5 + length;
	}
	return { frames, rest: body.subarray(at) };
}

function answerBlob(frame: Frame, reply: (message: Uint8Array) => void): void {
	if (frame.flags & 2) return;
	try {
		const { message } = fromBinary(
			AgentServerMessageSchema,
			frame.flags & 1 ? gunzipSync(frame.payload) : frame.payload,
		);
		if (message.case !== "kvServerMessage") return;
		reply(
			toBinary(
				AgentClientMessageSchema,
				create(AgentClientMessageSchema, {
					message: {
						case: "kvClientMessage",
						value: { id: message.value.id, message: { case: "setBlobResult", value: {} } },
					},
				}),
			),
		);
	} catch {
		// A frame that is broken on purpose needs no answer.
	}
}

function textOf(frames: Frame[]): string {
	const pieces = frames.flatMap(({ flags, payload }) => {
		if (flags & 2) return [];
		const { message } = fromBinary(AgentServerMessageSchema, flags & 1 ? gunzipSync(payload) : payload);
		const update = message.case === "interactionUpdate" ? message.value.message : undefined;
		return update?.case === "textDelta" ? [update.value.text] : [];
	});
	return Buffer.concat(pieces).toString("utf8");
}

const WHOLE = "a b c d e f";
const endPayload = ({ frames }: Raw) => frames.find(({ flags }) => flags & 2)?.payload.toString();

/** One row a fault: the spec, and what a client sees on the wire. */
const TABLE: Record<string, [spec: string, check: (seen: Raw) => void]> = {
	reset: ["reset=REFUSED_STREAM@frame:3", (seen) => expect(seen.resetCode).toBe(constants.NGHTTP2_REFUSED_STREAM)],
	cut: [
		"cut@byte:20",
		(seen) => {
			expect(seen.body.length).toBeLessThanOrEqual(20);
			expect(endPayload(seen)).toBeUndefined();
			expect(seen.open).toBe(false);
		},
	],
	goaway: [
		"goaway@frame:3",
		(seen) => {
			expect(seen.goaway?.code).toBe(constants.NGHTTP2_NO_ERROR);
			// An open stream is served to its end.
			expect(textOf(seen.frames)).toBe(WHOLE);
			expect(endPayload(seen)).toBe("{}");
		},
	],
	"goaway-refuse": [
		"goaway-refuse@headers",
		(seen) => expect([seen.goaway?.code, seen.resetCode]).toEqual([0, constants.NGHTTP2_REFUSED_STREAM]),
	],
	"http1-required": [
		"http1-required@headers",
		(seen) => expect(seen.resetCode).toBe(constants.NGHTTP2_HTTP_1_1_REQUIRED),
	],
	stall: [
		"stall@frame:4",
		(seen) => {
			expect(seen.open).toBe(true);
			expect(seen.frames).toHaveLength(3);
		},
	],
	"heartbeats-only": [
		"heartbeats-only@frame:2",
		(seen) => {
			expect(seen.open).toBe(true);
			expect(seen.frames.length).toBeGreaterThan(2);
			expect(textOf(seen.frames)).toBe("");
		},
	],
	linger: [
		"linger@after-end",
		(seen) => {
			expect(endPayload(seen)).toBe("{}");
			expect(seen.open).toBe(true);
		},
	],
	delay: ["delay=150@frame:2", (seen) => expect(textOf(seen.frames)).toBe(WHOLE)],
	latency: ["latency=1@frame:2", (seen) => expect(textOf(seen.frames)).toBe(WHOLE)],
	bandwidth: ["bandwidth=100000@frame:2", (seen) => expect(textOf(seen.frames)).toBe(WHOLE)],
	slice: [
		"slice=1@frame:2",
		(seen) => {
			expect(textOf(seen.frames)).toBe(WHOLE);
			expect(seen.chunks.filter((chunk) => chunk.length === 1).length).toBeGreaterThan(20);
		},
	],
	coalesce: [
		"coalesce@frame:2",
		(seen) => {
			// Blob writes are held back with all the rest, so the turn waits: nothing but the first frame is out.
			expect(seen.frames).toHaveLength(1);
			expect(seen.open).toBe(true);
		},
	],
	"empty-frame": [
		"empty-frame=3@frame:2",
		(seen) => expect(seen.frames.filter(({ flags, payload }) => flags === 0 && payload.length === 0)).toHaveLength(3),
	],
	"huge-length": [
		"huge-length=1610612736@frame:2",
		(seen) => {
			expect(seen.rest.readUInt32BE(1)).toBe(1_610_612_736);
			expect(seen.open).toBe(true);
		},
	],
	truncate: [
		"truncate@frame:2",
		(seen) => {
			expect(seen.rest.length).toBeGreaterThan(5);
			expect(seen.open).toBe(false);
		},
	],
	gzip: [
		"gzip@frame:2",
		(seen) => {
			expect(seen.frames[1]!.flags).toBe(1);
			expect(textOf(seen.frames)).toBe(WHOLE);
		},
	],
	"unknown-coding": [
		"unknown-coding@headers",
		(seen) => {
			expect(seen.headers["connect-content-encoding"]).toBe("zstd");
			expect(seen.frames[0]!.flags).toBe(1);
		},
	],
	"false-compressed": [
		"false-compressed@frame:1",
		(seen) => {
			expect(seen.frames[0]!.flags).toBe(1);
			expect(() => gunzipSync(seen.frames[0]!.payload)).toThrow();
		},
	],
	bomb: ["bomb=8@frame:1", (seen) => expect(gunzipSync(seen.frames[0]!.payload).length).toBe(8 << 20)],
	"reserved-flags": ["reserved-flags=64@frame:2", (seen) => expect(seen.frames[1]!.flags).toBe(64)],
	"split-code-point": ["split-code-point@frame:2", (seen) => expect(textOf(seen.frames)).toContain("😀")],
	"bad-utf8": ["bad-utf8@frame:2", (seen) => expect(textOf(seen.frames)).toContain("\ufffd")],
	"no-end-stream": [
		"no-end-stream@end",
		(seen) => {
			expect(textOf(seen.frames)).toBe(WHOLE);
			expect(endPayload(seen)).toBeUndefined();
			expect(seen.open).toBe(false);
		},
	],
	"double-end": ["double-end@end", (seen) => expect(seen.frames.filter(({ flags }) => flags & 2)).toHaveLength(2)],
	"data-after-end": ["data-after-end@end", (seen) => expect(seen.frames.at(-1)!.flags).toBe(0)],
	error: ["error=ERROR_RATE_LIMITED@frame:4", (seen) => expect(endPayload(seen)).toContain("ERROR_RATE_LIMITED")],
	"bad-error": ["bad-error=null-code@end", (seen) => expect(endPayload(seen)).toContain('"code":null')],
	"error-trailers": [
		"error-trailers=aborted@end",
		(seen) => expect(JSON.parse(endPayload(seen)!)).toMatchObject({ "connect-error-code": "aborted" }),
	],
	"http-trailers": [
		"http-trailers=aborted@end",
		(seen) => {
			expect(seen.frames.filter(({ flags }) => flags === 2)).toEqual([]);
			expect(seen.trailers["connect-error-code"]).toBe("aborted");
		},
	],
	status: ["status=503@headers", (seen) => expect(seen.status).toBe(503)],
	html: [
		"html@headers",
		(seen) => {
			expect(seen.status).toBe(502);
			expect(seen.body.toString()).toContain("<h1>");
		},
	],
	redirect: [
		"redirect=http://127.0.0.1:9/x@headers",
		(seen) => expect([seen.status, seen.headers.location]).toEqual([302, "http://127.0.0.1:9/x"]),
	],
	"wrong-type": [
		"wrong-type@headers",
		(seen) => expect([seen.status, seen.headers["content-type"]]).toEqual([200, "text/html"]),
	],
	hollow: [
		"hollow@headers",
		(seen) => {
			expect([seen.status, seen.body.length, seen.open]).toEqual([200, 0, false]);
			expect(seen.headers["content-type"]).toBe("application/connect+proto");
		},
	],
	"trailers-only": ["trailers-only@headers", (seen) => expect(seen.frames.map(({ flags }) => flags)).toEqual([2])],
	"unknown-update": ["unknown-update@frame:2", (seen) => expect(textOf(seen.frames)).toBe(WHOLE)],
	"unknown-exec": [
		"unknown-exec@frame:2",
		(seen) => {
			// Nobody answers it here, so the turn never ends.
			expect(textOf(seen.frames)).toBe(WHOLE);
			expect(seen.open).toBe(true);
		},
	],
	"unknown-query": ["unknown-query@frame:2", (seen) => expect(seen.open).toBe(true)],
	"unknown-message": ["unknown-message@frame:2", (seen) => expect(textOf(seen.frames)).toBe(WHOLE)],
	"unknown-enum": ["unknown-enum@frame:2", (seen) => expect(textOf(seen.frames)).toBe(WHOLE)],
	"new-fields": ["new-fields@frame:2", (seen) => expect(textOf(seen.frames)).toBe(WHOLE)],
	flood: ["flood=5000@frame:2", (seen) => expect(textOf(seen.frames).replace(WHOLE, "")).toBe(".".repeat(5000))],
	"drop-append": ["drop-append@append:2", () => {}],
};

/** With these the stream never ends. */
const STAY_OPEN = new Set([
	...["stall", "heartbeats-only", "linger", "coalesce", "huge-length", "unknown-coding", "unknown-exec"],
	"unknown-query",
]);

describe("every fault of the catalogue", () => {
	it("has a row here", () => {
		expect(Object.keys(TABLE).sort()).toEqual(Object.keys(FAULTS).sort());
	});

	it.each(Object.entries(TABLE).filter(([name]) => name !== "drop-append"))("%s", async (name, [spec, check]) => {
		const emulator = await start({ brain: "echo", faults: [spec], heartbeatMs: 50 });
		const passes = (seen: Raw) => {
			try {
				check(seen);
				return true;
			} catch {
				return false;
			}
		};
		check(await raw(emulator, STAY_OPEN.has(name) ? passes : undefined));
	});
});

describe("faults of appends", () => {
	const turn = async (fault: string, signal?: AbortSignal) => {
		const emulator = await start({
			faults: [fault],
			async *brain() {
				const [result] = yield { calls: [{ name: "t" }] };
				yield { text: result.text };
			},
		});
		const client = await RunClient.connect(emulator, { httpVersion: "1.1" });
		return client
			.run({
				carrier: "RunSSE",
				tools: [{ name: "t" }],
				...(signal && { signal }),
				onExec: (exec) => textResult(exec, "done"),
			})
			.then(({ text }) => text)
			.catch((error) => error.rawMessage);
	};

	it("a dropped append is never seen, so the turn waits for ever", async () => {
		expect(await turn("drop-append@append:2", AbortSignal.timeout(600))).toMatch(/aborted/i);
	});

	it("a delayed append is late and not lost", async () => {
		expect(await turn("delay=100@append:2")).toBe("done");
	});

	it("a refused append leaves a hole that stops what is behind it", async () => {
		expect(await turn("status=500@append:2", AbortSignal.timeout(600))).toMatch(/aborted/i);
	});
});

describe("how often a fault strikes", () => {
	const outcomes = async (fault: string, count: number) => {
		const emulator = await start({ brain: "echo", faults: [fault] });
		const client = await RunClient.connect(emulator);
		const seen: boolean[] = [];
		for (let turn = 0; turn < count; turn++)
			seen.push(
				await client.run().then(
					() => true,
					() => false,
				),
			);
		return seen;
	};

	it("every time, a number of times, or a share of the times", async () => {
		expect(await outcomes("error@frame:2", 2)).toEqual([false, false]);
		expect(await outcomes("error@frame:2*1", 3)).toEqual([false, true, true]);
		expect(await outcomes("error@frame:2%50", 4)).toEqual([true, false, true, false]);
		expect(await outcomes("error@frame:2/RunSSE", 1)).toEqual([true]);
	});

	it("is changed over the control API", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator);
		const change = (method: string, body?: object) =>
			fetch(`${emulator.url}/__emulator/faults`, { method, body: body && JSON.stringify(body) }).then((r) => r.json());
		expect(await change("POST", { fault: "error@frame:1" })).toEqual({ faults: ["error@frame:1"] });
		await expect(client.run()).rejects.toThrow();
		expect(await change("DELETE")).toEqual({ faults: [] });
		expect((await client.run({ prompt: "well" })).text).toBe("well");
		expect(await change("POST", { fault: "melt@frame:1" })).toMatchObject({
			error: expect.stringContaining("unknown fault"),
		});
	});
});

describe("a fault that does not read", () => {
	it.each([
		["reset", /does not read as/],
		["melt@frame:1", /unknown fault "melt" \(known: .*reset/],
		["hollow@frame:1", /cannot strike at "frame" \(it can at: headers\)/],
		["reset@frame", /needs a number/],
		["reset=MELT@frame:1", /takes an HTTP\/2 error code such as REFUSED_STREAM, not "MELT"/],
		["slice=-1@frame:1", /takes a whole number from 1 to 1000000, not "-1"/],
		["status=@headers", /takes a whole number from 200 to 599, not ""/],
		["error=melt@frame:1", /takes a Connect code such as unavailable, or the name of an error/],
		["bad-error=melt@end", /takes null-code, .*not-json, not "melt"/],
		["redirect=a b@headers", /takes an address, not "a b"/],
		["cut=1@headers", /takes no value, not "1"/],
	])("%s", (spec, message) => {
		expect(() => parseFault(spec)).toThrow(message);
	});
});
