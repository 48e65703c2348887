import { CountingClock } from "../kit/counting-clock.ts";
import type { DialectClient } from "../kit/dialects/dialect-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway, type TestGatewayOptions } from "../kit/gateway.ts";
import { describeBehaviours } from "./behaviours.ts";
import { openIn } from "./dialect-rig.ts";
import type { Rig, RigOptions } from "./rig.ts";
import type { SkippedRows } from "./rows.ts";

const NO_COUNTS = "the protocol tells how full the window is, and no counts of a turn";
const NO_CHECKPOINT = "the protocol has no checkpoints";
const NO_TOOLS = "the protocol has no tools";

/** Of the unified chat with tools, on one stream or with appends. */
const UNIFIED: SkippedRows = {
	"counts tokens as Cursor counts them": NO_COUNTS,
	"waits for a tool longer than any clock allows silence, with heartbeats for the call":
		"the protocol has no heartbeats; that it waits is tested apart",
	"sends images that a tool returns": "the result of a tool is one text",
	"goes on from a checkpoint after a drop, without repeating a word": NO_CHECKPOINT,
};

/** A cut is mended and no error, which is tested apart for every place of a cut. */
const MENDED = "the stream is taken up again";
const IDEMPOTENT: SkippedRows = {
	...UNIFIED,
	"cut@frame:6 in the middle of the answer is upstream-reset, and what came stays": MENDED,
	"reset@frame:6 in the middle of the answer is upstream-reset, and what came stays": MENDED,
	"no-end-stream@frame:6 in the middle of the answer is upstream-reset, and what came stays": MENDED,
	"truncate@frame:6 in the middle of the answer is upstream-reset, and what came stays": MENDED,
	"does not repeat what was said after the last checkpoint: that is an error": MENDED,
};

/** Of the unified chat without tools. */
const PLAIN: SkippedRows = {
	...UNIFIED,
	"hands a call to the client and goes on with its result in the same run": NO_TOOLS,
	"hands over three calls of one step together, and takes the results in any order": NO_TOOLS,
	"knows when a step's calls are complete, with the count %s": NO_TOOLS,
	"streams arguments as they come (%s)": NO_TOOLS,
	"gives one call a response where the client wants no parallel calls": NO_TOOLS,
	"offers only the client's tools, and gives built-ins' names back as the client knows them": NO_TOOLS,
	"bridges a built-in request to a client tool, and its result back": NO_TOOLS,
	"refuses built-in requests that no client tool can serve, and the turn goes on": NO_TOOLS,
	"answers every question to the user by itself": NO_TOOLS,
	"goes on from a history that ends with tool results nobody waits for": NO_TOOLS,
	"survives what a newer server may send": "the row counts answers to requests, of which there are none",
	"a token that expires in the middle of a turn does no harm": NO_TOOLS,
};

/** Of the legacy chat, which is text and nothing else. */
const LEGACY: SkippedRows = {
	...PLAIN,
	"keeps thinking apart from text": "the protocol has no thinking",
	"reaches the server in the middle of thinking": "the protocol has no thinking",
	"sends images of the user": "an image travels as a Markdown link in the text, which is tested apart",
};

/** Every way of the older protocols: its settings, and the rows that it cannot express. docs/older-protocols.md lists them. */
export const OLDER_WAYS = {
	"unified on one stream": { settings: { protocol: "unified" }, skipped: UNIFIED },
	"unified with appends": { settings: { protocol: "unified", http1: true }, skipped: UNIFIED },
	"unified, idempotent": { settings: { protocol: "unified", unifiedStream: "idempotent" }, skipped: IDEMPOTENT },
	"unified, plain": { settings: { protocol: "unified", unifiedStream: "plain", http1: true }, skipped: PLAIN },
	legacy: { settings: { protocol: "legacy" }, skipped: LEGACY },
} as const satisfies Record<string, { settings: TestGatewayOptions["settings"]; skipped: SkippedRows }>;

export type OlderWay = keyof typeof OLDER_WAYS;

/** The whole product, asked in one dialect, over one of the older ways. */
export function describeOlderWay(way: OlderWay, client: DialectClient): void {
	const { settings, skipped } = OLDER_WAYS[way];
	const start = async (options: RigOptions = {}): Promise<Rig> => {
		const switches = ["chat-arguments=streamed", ...(options.emulator?.switches ?? [])];
		const emulator = { ...options.emulator, switches };
		const clock = new CountingClock();
		const gateway = await startTestGateway({ ...options, emulator, settings, clock });
		return {
			emulator: gateway.emulator,
			open: () => openIn(gateway, clock),
			leap: (ms) => clock.leap(ms),
			countsReasoning: client.countsReasoning,
			expireToken: () => gateway.emulator.expireTokens(),
			ask: (request, { onEvent, signal } = {}) => askIn(client, gateway, request, onEvent, signal),
		};
	};
	describeBehaviours(`${client.name}, ${way}`, start, skipped);
}
