import { DEFAULT_TURN_LIMITS } from "../src/access/limits.ts";
import { NEWCOMER_LIMITS } from "../src/access/newcomers.ts";
import { PARKED_LIMITS } from "../src/app/gateway.ts";
import { GUEST_IDLE_MS } from "../src/app/guest-accounts.ts";
import {
	MAX_CHOICES,
	MAX_IMAGE_BYTES,
	MAX_JSON_DEPTH,
	MAX_JSON_NODES,
	MAX_MESSAGES,
	MAX_STOP_SEQUENCES,
	MAX_TOOLS,
} from "../src/dialects/shared/limits.ts";
import { RESPONSE_KEPT_MS } from "../src/routes/stored-responses.ts";
import { DEFAULT_SERVER_LIMITS } from "../src/server/server.ts";
import { DEFAULT_STREAM_LIMITS } from "../src/server/stream-response.ts";
import { DISK_LIMITS, MEMORY_LIMITS } from "../src/store/limits.ts";
import { DEEPEST_JSON } from "../src/turn/json-depth.ts";
import { DEFAULT_RUN_LIMITS } from "../src/upstream/run-limits.ts";
import { table } from "./markdown.ts";

/** docs/limits.md, from the constants that the program itself uses. */
export function renderLimitsDoc(): string {
	const server = DEFAULT_SERVER_LIMITS;
	const stream = DEFAULT_STREAM_LIMITS;
	const run = DEFAULT_RUN_LIMITS;
	return `${[
		"# Limits",
		"Generated from the constants of the program by `npm run docs`; a test compares both. Each of them ends in an error that names it; none makes the gateway grow or fall over.",
		"## What a client sends",
		rows([
			["body of a request", bytes(server.bodyBytes), "413"],
			["levels of JSON", count(MAX_JSON_DEPTH), "400"],
			["values in one body", count(MAX_JSON_NODES), "400"],
			["messages", count(MAX_MESSAGES), "400"],
			["tools", count(MAX_TOOLS), "400"],
			["levels of a tool's schema", count(DEEPEST_JSON), "400 with the place of the schema"],
			["an image", bytes(MAX_IMAGE_BYTES), "400"],
			["stop sequences", count(MAX_STOP_SEQUENCES), "400"],
			["answers of one request (`n`)", count(MAX_CHOICES), "400"],
			["time for the headers of a request", time(server.headersMs), "408"],
			["time for a whole request", time(server.requestMs), "408"],
		]),
		"## What runs at once",
		rows([
			[
				"connections",
				`${count(server.connections)}, or half of the open files that the system allows beyond 40`,
				"the one that has been idle the longest is closed; where none is idle, 503 with `retry-after`",
			],
			["turns under way, in all", count(DEFAULT_TURN_LIMITS.total), "503 with `retry-after`"],
			[
				"turns under way, all credentials of Cursor's together",
				count(DEFAULT_TURN_LIMITS.guests),
				"503 with `retry-after`; the rest is for gateway keys",
			],
			[
				"turns under way, a key",
				count(DEFAULT_TURN_LIMITS.perCaller),
				"429 with `retry-after`; a key may have its own limit",
			],
			[
				"runs that wait for tool results, in all",
				count(PARKED_LIMITS.total),
				"the one that waits longest is closed; its results are rebuilt from the history",
			],
			["runs that wait, a key", count(PARKED_LIMITS.perCaller), "the same"],
			[
				`bodies up to ${bytes(server.bodies.smallBytes)} on their way in, a key / in all`,
				pair(server.bodies.small),
				`not read yet; after ${time(server.bodies.waitMs)} in which none arrives 429 or 503 with \`retry-after\``,
			],
			["larger bodies on their way in, a key / in all", pair(server.bodies.large), "the same"],
			[
				"requests that wait for that, a key / in all",
				`${count(server.bodies.waiting.perCaller)} / ${count(server.bodies.waiting.total)}`,
				"429 or 503 at once",
			],
			[
				"new credentials of Cursor's that are looked up, at once / a minute",
				`${NEWCOMER_LIMITS.atOnce} / ${NEWCOMER_LIMITS.perMinute}`,
				`503 with \`retry-after\`; one that Cursor refused is not asked about again for ${time(NEWCOMER_LIMITS.refusedMs)}`,
			],
		]),
		"## Time",
		rows([
			[
				"a run waits for tool results",
				time(PARKED_LIMITS.deadlineMs),
				"closed; the next request goes on from the history",
			],
			[
				"Cursor says nothing at all",
				time(run.silenceMs),
				"`upstream-stalled`, or tried again where nothing was said yet",
			],
			["Cursor sends heartbeats only", time(run.heartbeatsOnlyMs), "the same"],
			["one turn, tools not counted", time(run.wholeTurnMs), "`upstream-timeout`"],
			["nothing to say to the client", time(stream.commentMs), "a comment keeps the connection alive"],
			["the client reads nothing", time(stream.stalledClientMs), "the turn is cancelled"],
			[
				"an idle connection of a client",
				time(server.keepAliveMs),
				"closed; earlier where another client finds no free one",
			],
			[
				"an account that came with requests is not used",
				time(GUEST_IDLE_MS),
				"its connections are closed and it is forgotten",
			],
			[
				"retries of a broken connection, of a failing server",
				`${run.transportRetries}, ${run.serverRetries}`,
				"then the error is told; only where nothing was said yet",
			],
		]),
		"## What is kept",
		rows([
			["conversations, a key / in all", pair(DISK_LIMITS.checkpoints), "the least recently used go first"],
			[
				"a conversation that nobody goes on with",
				time(DISK_LIMITS.checkpointTtlMs),
				"forgotten; rebuilt from the client's history",
			],
			["answers for identical retries, a key / in all", pair(DISK_LIMITS.answers), "the oldest go first"],
			["responses by id, a key / in all", pair(DISK_LIMITS.responses), "the oldest go first"],
			["a response by id", time(RESPONSE_KEPT_MS), "404"],
			["rows of the ledger", count(DISK_LIMITS.ledgerRows), "the oldest go first"],
			[
				"conversations while the disk cannot be written, a key / in all",
				pair(MEMORY_LIMITS.checkpoints),
				"in memory until it can",
			],
		]),
	].join("\n\n")}\n`;
}

const rows = (lines: readonly (readonly string[])[]): string => table(["what", "limit", "beyond it"], lines);
const count = (value: number): string => value.toLocaleString("en-US");
const pair = ({ perCaller, total }: { perCaller: number; total: number }) => `${bytes(perCaller)} / ${bytes(total)}`;
const bytes = (value: number): string => `${value >> 20} MiB`;

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
