import { ERROR_KINDS } from "../../turn/error-kinds.ts";
import type { MetricRow } from "./metric-row.ts";

// Every metric, once. The text for Prometheus, what is sent to a collector, docs/metrics.md and docs/grafana.json are
// all made from this table.

const DIALECTS = ["chat", "completions", "messages", "responses"];
/** The rungs, and `none` for what ended before one was chosen. */
const PATHS = ["new", "parked", "checkpoint", "rebuild", "none"];
const OUTCOMES = ["ok", "client_gone", "error"];
const TOKENS = ["input", "cached", "output", "reasoning"];
const MODELS = { atMost: 40 };
const KEYS = { atMost: 32 };
const LIMITS = { atMost: 32 };
const CHANNELS = ["h2", "h1"];
const POOLS = ["auto", "api"];
const STORES = ["memory", "sqlite", "redis"];

const DURATIONS = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);
const FIRST_TOKENS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const OWN_TIMES = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const WAITS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 900];

/** A metric whose values are read when somebody asks. */
const read = (row: Partial<MetricRow> & Pick<MetricRow, "help">) =>
	({ type: "gauge", labels: {}, ...row, isRead: true }) as const satisfies MetricRow;
const seconds = (help: string) => read({ help, unit: "seconds" });
const bytes = (help: string) => read({ help, unit: "bytes" });

export const METRICS = {
	cursorwire_requests_total: {
		type: "counter",
		help: "Requests for a turn that have ended.",
		labels: { dialect: DIALECTS, path: PATHS, outcome: OUTCOMES },
	},
	cursorwire_errors_total: {
		type: "counter",
		help: "Errors that clients got, by the kinds of docs/errors.md. The dialect none is a path that no API has.",
		labels: { dialect: [...DIALECTS, "none"], kind: Object.keys(ERROR_KINDS) },
	},
	cursorwire_turn_duration_seconds: {
		type: "histogram",
		help: "Time from a request to the end of its reply.",
		unit: "seconds",
		labels: { dialect: DIALECTS, path: PATHS },
		buckets: DURATIONS,
	},
	cursorwire_first_token_seconds: {
		type: "histogram",
		help: "Time from a request to the first token of its reply.",
		unit: "seconds",
		labels: { model: MODELS, path: PATHS },
		buckets: FIRST_TOKENS,
	},
	cursorwire_gateway_added_seconds: {
		type: "histogram",
		help: "Time that the gateway itself takes, by the stage of a turn.",
		unit: "seconds",
		labels: { stage: ["admit", "decode", "send", "first_chunk"] },
		buckets: OWN_TIMES,
	},
	cursorwire_tokens_total: {
		type: "counter",
		help: "Tokens of turns. Cached ones are part of the input, and reasoning is part of the output.",
		labels: { model: MODELS, type: TOKENS },
	},
	cursorwire_turns_in_flight: read({
		help: "Turns under way, and runs that wait for the results of tools.",
		labels: { state: ["connecting", "streaming", "parked", "retrying"] },
	}),
	cursorwire_parked_wait_seconds: {
		type: "histogram",
		help: "How long runs waited for the results of tools, and how that ended.",
		unit: "seconds",
		labels: { end: ["answered", "expired", "evicted", "gone"] },
		buckets: WAITS,
	},
	cursorwire_tool_calls_total: {
		type: "counter",
		help: "Calls of the client's tools and of Cursor's own. answered: the client gave the result. refused: no tool of the client's could do it.",
		labels: { origin: ["client", "builtin"], result: ["answered", "unanswered", "refused"] },
	},
	cursorwire_upstream_runs_total: {
		type: "counter",
		help: "Runs at Cursor that have ended.",
		labels: {
			protocol: ["agent", "unified", "legacy"],
			channel: CHANNELS,
			end: ["turn_ended", "cut", "cancelled", "refused"],
		},
	},
	cursorwire_upstream_retries_total: {
		type: "counter",
		help: "Runs that went on with another stream, and why.",
		labels: { reason: ["connect", "reset", "stalled", "server", "auth"] },
	},
	cursorwire_upstream_connections: read({
		help: "Connections to Cursor, and the streams and exchanges on them.",
		labels: { channel: CHANNELS, state: ["open", "connecting", "streams"] },
	}),
	cursorwire_upstream_unknown_total: read({
		type: "counter",
		help: "What Cursor sent since the start that this version does not know: the drift alarm.",
		labels: { what: ["field", "enum", "frame", "exec", "query", "model"] },
	}),
	cursorwire_replays_total: {
		type: "counter",
		help: "Requests that repeated an earlier one.",
		labels: { kind: ["joined", "replayed", "refused"] },
	},
	cursorwire_pool_used_ratio: read({
		help: "The used part of a pool of included usage, 0 to 1, as Cursor last said.",
		unit: "ratio",
		labels: { pool: POOLS },
	}),
	cursorwire_pool_reset_timestamp_seconds: read({
		help: "When the pool begins anew.",
		unit: "seconds",
		labels: { pool: POOLS },
	}),
	cursorwire_limit_used_ratio: read({
		help: "The used part of a limit of the spend guard, by the id of the limit; absent where conversations are counted one by one.",
		unit: "ratio",
		labels: { limit: LIMITS },
	}),
	cursorwire_limit_decisions_total: {
		type: "counter",
		help: "What limits of the spend guard said to turns. cut: a reply was ended. unreadable: nobody knew what was spent.",
		labels: { limit: LIMITS, decision: ["allowed", "warned", "refused", "cut", "unreadable"] },
	},
	cursorwire_store_bytes: read({
		help: "Size of the files of the store; absent for a Redis.",
		unit: "bytes",
		labels: { store: STORES },
	}),
	cursorwire_store_degraded: read({
		help: "1 while memory replaces the store, else 0.",
		labels: { store: STORES },
	}),
	cursorwire_credential_expiry_timestamp_seconds: seconds("When the access token of the login expires."),
	cursorwire_traces_dropped_total: read({
		type: "counter",
		help: "Spans that were not sent, because the collector was away or too slow.",
	}),
	cursorwire_build_info: read({
		help: "1, with the versions as labels.",
		labels: { version: { atMost: 1 }, node: { atMost: 1 }, client_version: { atMost: 1 } },
	}),
	cursorwire_key_requests_total: {
		type: "counter",
		help: "Requests for a turn that have ended, by the name of the key. Only with the setting metricsKeys.",
		labels: { key: KEYS, outcome: OUTCOMES },
		isByKey: true,
	},
	cursorwire_key_tokens_total: {
		type: "counter",
		help: "Tokens of turns, by the name of the key. Only with the setting metricsKeys.",
		labels: { key: KEYS, type: TOKENS },
		isByKey: true,
	},
	process_cpu_user_seconds_total: read({ type: "counter", help: "CPU time in user code.", unit: "seconds" }),
	process_cpu_system_seconds_total: read({ type: "counter", help: "CPU time in the system.", unit: "seconds" }),
	process_cpu_seconds_total: read({ type: "counter", help: "CPU time.", unit: "seconds" }),
	process_start_time_seconds: seconds("When the process began, in seconds since 1970."),
	process_resident_memory_bytes: bytes("Resident memory."),
	process_heap_bytes: bytes("Size of the JavaScript heap."),
	process_heap_used_bytes: bytes("The used part of the JavaScript heap."),
	process_external_memory_bytes: bytes("Memory of buffers outside the JavaScript heap."),
	process_open_fds: read({ help: "Open file descriptors, where the system says." }),
	nodejs_eventloop_lag_mean_seconds: seconds("Mean delay of the event loop since the last time it was asked for."),
	nodejs_eventloop_lag_p50_seconds: seconds("The same, the middle."),
	nodejs_eventloop_lag_p99_seconds: seconds("The same, the slowest hundredth."),
	nodejs_eventloop_lag_max_seconds: seconds("The same, the longest."),
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricName = keyof typeof METRICS;
