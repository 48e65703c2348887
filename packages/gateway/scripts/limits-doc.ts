import { CREDENTIAL_CHECK_LIMITS } from "../src/access/credential-checks.ts";
import { DEFAULT_TURN_LIMITS } from "../src/access/turn-gate.ts";
import { GUEST_IDLE_MS } from "../src/app/upstream/guest-accounts.ts";
import type { SettingName } from "../src/config/setting-table.ts";
import { PARSED_ALONE, PARSED_AT_ONCE } from "../src/dialects/json/json-body.ts";
import { MAX_JSON_DEPTH, MAX_JSON_NODES } from "../src/dialects/json/json-limits.ts";
import {
	BODIES_KNOWN_MS,
	KNOWN_BODIES,
	KNOWN_BODIES_PER_CALLER,
	SHORTEST_KNOWN,
} from "../src/dialects/json/known-bodies.ts";
import {
	MAX_CHOICES,
	MAX_IMAGE_BYTES,
	MAX_MESSAGES,
	MAX_PARTS,
	MAX_STOP_LENGTH,
	MAX_STOP_SEQUENCES,
	MAX_TOOLS,
	MAX_TOOLS_LENGTH,
} from "../src/dialects/shared/limits.ts";
import { RESPONSE_KEPT_MS } from "../src/routes/stored-responses.ts";
import { DEFAULT_SERVER_LIMITS } from "../src/server/server-limits.ts";
import { DEFAULT_PARKED_LIMITS } from "../src/sessions/parked-runs.ts";
import { DISK_LIMITS, MEMORY_LIMITS } from "../src/store/limits.ts";
import { DEEPEST_JSON } from "../src/text/json-depth.ts";
import { REMEMBERED_BYTES, SOCKET_LIFE_MS } from "../src/turns/socket/turn-socket.ts";
import { DEFAULT_STREAM_LIMITS } from "../src/turns/stream-limits.ts";
import { MOST_UNSENT_BYTES } from "../src/upstream/channels/read-half.ts";
import { DEFAULT_HEALTH_LIMITS } from "../src/upstream/health/health-register.ts";
import { MOST_REMEMBERED } from "../src/upstream/run/replies.ts";
import { DEFAULT_RUN_LIMITS } from "../src/upstream/run/run-limits.ts";
import { DEFAULT_MAX_PAYLOAD_BYTES } from "../src/wire/framing/envelope.ts";
import { table } from "./markdown.ts";

/** docs/limits.md, from the constants that the program itself uses. */
export function renderLimitsDoc(): string {
	const server = DEFAULT_SERVER_LIMITS;
	const stream = DEFAULT_STREAM_LIMITS;
	const run = DEFAULT_RUN_LIMITS;
	const health = DEFAULT_HEALTH_LIMITS;
	return `${[
		"# Limits",
		"Generated from the constants of the program by `npm run docs`; a test compares both. Whoever exceeds a limit gets an error that names it; the gateway neither grows nor fails. If a setting is named, it changes the limit ([configuration](configuration.md)).",
		"## What a client sends",
		rows([
			["body of a request", bytes(server.bodyBytes), `413; ${setting("maxBodyMiB")}`],
			["levels of JSON", count(MAX_JSON_DEPTH), "400"],
			["values in one body", count(MAX_JSON_NODES), "400"],
			["messages", count(MAX_MESSAGES), "400"],
			["parts or calls of one message", count(MAX_PARTS), "400"],
			["tools", count(MAX_TOOLS), "400"],
			["names, descriptions and schemas of all tools", `${count(MAX_TOOLS_LENGTH)} characters`, "400 with the tool"],
			["levels of a tool's schema", count(DEEPEST_JSON), "400 with the place of the schema"],
			["an image", bytes(MAX_IMAGE_BYTES), "400"],
			["stop sequences", count(MAX_STOP_SEQUENCES), "400"],
			["a stop sequence", `${count(MAX_STOP_LENGTH)} characters`, "400"],
			["replies to one request (`n`)", count(MAX_CHOICES), "400"],
			["time for the headers of a request", time(server.headersMs), "408"],
			["time for a whole request", time(server.requestMs), `408; ${setting("requestSeconds")}`],
			["a message over a WebSocket", bytes(server.bodyBytes), `close code 1009; ${setting("maxBodyMiB")}`],
			["time for a whole message over a WebSocket", time(server.requestMs), "the connection is closed"],
		]),
		"## What runs at once",
		rows([
			[
				`bodies of more than ${bytes(PARSED_ALONE)} that are parsed`,
				"1",
				`the next one waits; those of more than ${bytes(PARSED_AT_ONCE)} are parsed in slices`,
			],
			[
				"connections",
				`${count(server.connections)}, or half of the open files that the system allows beyond 40`,
				`the one that has been idle the longest is closed; if none is idle, 503 with \`retry-after\`; ${setting("maxConnections")}`,
			],
			["turns under way on one WebSocket", "1", "an error message"],
			["life of a WebSocket", time(SOCKET_LIFE_MS), "the error `websocket_connection_limit_reached` for the next turn"],
			[
				"conversations that open WebSockets remember, together",
				bytes(REMEMBERED_BYTES),
				"those that have been silent for longest are forgotten; the client sends the conversation again",
			],
			["turns under way, in all", count(DEFAULT_TURN_LIMITS.total), `503 with \`retry-after\`; ${setting("maxTurns")}`],
			[
				"turns under way, all guests together",
				count(DEFAULT_TURN_LIMITS.guests),
				`503 with \`retry-after\`; the rest is for gateway keys; ${setting("maxGuestTurns")}`,
			],
			[
				"turns under way, per key",
				count(DEFAULT_TURN_LIMITS.perCaller),
				`429 with \`retry-after\`; a key may have its own limit; ${setting("maxTurnsPerKey")}`,
			],
			[
				"parked runs, in all",
				count(DEFAULT_PARKED_LIMITS.total),
				`the one that has waited longest is closed; its turn is rebuilt from the history; ${setting("maxParkedRuns")}`,
			],
			["parked runs, per key", count(DEFAULT_PARKED_LIMITS.perCaller), `the same; ${setting("maxParkedRunsPerKey")}`],
			[
				`bodies up to ${bytes(server.bodies.smallBytes)} on their way in, per key / in all`,
				pair(server.bodies.small),
				`not read until there is room; after ${time(server.bodies.waitMs)} without progress, 429 or 503 with \`retry-after\`; a share of ${setting("bodyBudgetMiB")}`,
			],
			["larger bodies on their way in, per key / in all", pair(server.bodies.large), "the same"],
			[
				"requests that wait for such room, per key / in all",
				`${count(server.bodies.waiting.perCaller)} / ${count(server.bodies.waiting.total)}`,
				"429 or 503 at once",
			],
			[
				"new credentials of guests that are checked with Cursor, at once / per minute",
				`${CREDENTIAL_CHECK_LIMITS.atOnce} / ${CREDENTIAL_CHECK_LIMITS.perMinute}`,
				`503 with \`retry-after\`; one that Cursor refused is not checked again for ${time(CREDENTIAL_CHECK_LIMITS.refusedMs)}`,
			],
		]),
		"## Time",
		rows([
			[
				"a run waits for tool results",
				time(DEFAULT_PARKED_LIMITS.deadlineMs),
				`closed; the next request continues from the history; ${setting("parkedMinutes")}`,
			],
			[
				"Cursor says nothing at all",
				time(run.silenceMs),
				`\`upstream-stalled\`, or tried again if nothing was said yet; ${setting("silenceSeconds")}`,
			],
			["Cursor sends heartbeats only", time(run.heartbeatsOnlyMs), `the same; ${setting("heartbeatsMinutes")}`],
			["one turn, tools not counted", time(run.wholeTurnMs), `\`upstream-timeout\`; ${setting("turnMinutes")}`],
			[
				"no event for the client",
				time(stream.commentMs),
				`a comment keeps the connection alive; ${setting("keepAliveSeconds")}`,
			],
			[
				"the client reads nothing",
				time(stream.stalledClientMs),
				`the turn is cancelled; ${setting("stalledClientSeconds")}`,
			],
			[
				"an idle connection of a client",
				time(server.keepAliveMs),
				"closed; earlier if another client needs a connection",
			],
			["a guest's account is not used", time(GUEST_IDLE_MS), "its connections are closed and it is forgotten"],
			[
				"retries of a broken connection, of a failing server",
				`${run.transportRetries}, ${run.serverRetries}`,
				"then the error is reported; only if nothing was said yet",
			],
		]),
		"## An upstream that fails",
		"Counted per host and account; [ADR 16](adr/0016-a-breaker-before-the-upstream.md) explains why. `cursorwire doctor` shows the state of a running gateway.",
		rows([
			[
				"silent retries",
				`${health.retries.reserve} at the start, ${health.retries.perSuccess} more for each success, at most ${health.retries.most} saved up`,
				"the error is reported; the client decides",
			],
			[
				"failures in a row, or half of the last attempts",
				`${health.strikes}, or ${health.window / 2} of ${health.window}`,
				"the breaker opens: requests are refused at once, with the last failure in the message",
			],
			["first pause of the breaker", time(health.firstPauseMs), "one request goes through as a probe"],
			["longest pause; each failed probe doubles it up to here", time(health.longestPauseMs), "the same"],
		]),
		"## What Cursor sends",
		rows([
			["text, thinking and tool arguments of one reply", bytes(run.answerBytes), tooLarge("maxAnswerMiB")],
			["arguments of one tool call", bytes(run.argumentBytes), tooLarge("maxArgumentsMiB")],
			["tool calls at once", count(run.callsPerStep), tooLarge("maxCallsPerStep")],
			["blobs that Cursor stores here, per run", bytes(run.blobBytes), tooLarge("maxBlobMiB")],
			["everything that one run receives", bytes(run.runBytes), tooLarge("maxRunMiB")],
			[
				"what arrives while a run is parked",
				bytes(run.parkedBytes),
				`the run is closed, and the next request continues from the history; ${setting("maxParkedMiB")}`,
			],
			["one message, compressed or not", bytes(DEFAULT_MAX_PAYLOAD_BYTES), "`upstream-protocol`"],
			[
				"the gateway's answers that Cursor does not read",
				bytes(MOST_UNSENT_BYTES),
				"nothing more is read from Cursor until it does",
			],
			[
				"a reply that is remembered, so that only the next message has to be sent",
				`${MOST_REMEMBERED >> 10} Ki characters`,
				"not remembered; the next request is rebuilt from the history",
			],
		]),
		"## What is kept",
		rows([
			["conversations, per key / in all", pair(DISK_LIMITS.checkpoints), "the least recently used go first"],
			[
				"a conversation that is not continued",
				time(DISK_LIMITS.checkpointTtlMs),
				`forgotten; rebuilt from the client's history; ${setting("conversationDays")}`,
			],
			["responses by id, per key / in all", pair(DISK_LIMITS.responses), "the oldest go first"],
			["a response by id", time(RESPONSE_KEPT_MS), `404; ${setting("responseDays")}`],
			["a row of the ledger", time(DISK_LIMITS.ledgerTtlMs), `removed; ${setting("ledgerDays")}`],
			["rows of the ledger", count(DISK_LIMITS.ledgerRows), "the oldest go first"],
			[
				"conversations while the disk cannot be written, per key / in all",
				pair(MEMORY_LIMITS.checkpoints),
				"in memory until it can",
			],
			[
				`known bodies (${count(SHORTEST_KNOWN / 1024)} KiB to ${bytes(PARSED_AT_ONCE)}), per key / in all`,
				`${count(KNOWN_BODIES_PER_CALLER)} / ${count(KNOWN_BODIES)}, for ${time(BODIES_KNOWN_MS)}`,
				"in memory; the oldest is forgotten, and a body that continues it is parsed as a whole",
			],
		]),
	].join("\n\n")}\n`;
}

const rows = (lines: readonly (readonly string[])[]): string => table(["what", "limit", "beyond it"], lines);
const count = (value: number): string => value.toLocaleString("en-US");
const pair = ({ perCaller, total }: { perCaller: number; total: number }) => `${bytes(perCaller)} / ${bytes(total)}`;
const bytes = (value: number): string => `${value / 2 ** 20} MiB`;

const setting = (name: SettingName): string => `setting \`${name}\``;
const tooLarge = (name: SettingName): string => `\`answer-too-large\`; ${setting(name)}`;

const UNITS: readonly [ms: number, name: string][] = [
	[86_400_000, "days"],
	[3_600_000, "h"],
	[60_000, "min"],
	[1_000, "s"],
];

/** In the largest unit that it fills at least twice, or exactly. */
function time(ms: number): string {
	const [size, name] = UNITS.find(([unit]) => ms >= 2 * unit || ms === unit) ?? [1, "ms"];
	return `${ms / size} ${name}`;
}
