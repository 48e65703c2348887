// The settings that are limits: sizes, counts and deadlines that an owner may reasonably want otherwise.
import { setting } from "./setting.ts";
import { wholeNumber } from "./setting-parsers.ts";

export const LIMIT_SETTINGS = {
	maxAnswerMiB: setting({
		env: ["CURSORWIRE_MAX_ANSWER_MIB"],
		default: 64,
		parse: wholeNumber(1, 4_096),
		about: "maximum MiB of text, thinking and tool arguments in one reply",
	}),
	maxRunMiB: setting({
		env: ["CURSORWIRE_MAX_RUN_MIB"],
		default: 4_096,
		parse: wholeNumber(1, 1_048_576),
		about: "maximum MiB that one run may receive from Cursor in total",
	}),
	maxParkedMiB: setting({
		env: ["CURSORWIRE_MAX_PARKED_MIB"],
		default: 8,
		parse: wholeNumber(1, 4_096),
		about: "maximum MiB that a run may receive while it waits for tool results",
	}),
	maxBlobMiB: setting({
		env: ["CURSORWIRE_MAX_BLOB_MIB"],
		default: 128,
		parse: wholeNumber(1, 4_096),
		about: "maximum MiB of a conversation that Cursor may store in the gateway during a run",
	}),
	maxArgumentsMiB: setting({
		env: ["CURSORWIRE_MAX_ARGUMENTS_MIB"],
		default: 16,
		parse: wholeNumber(1, 4_096),
		about: "maximum MiB of arguments in one tool call",
	}),
	maxCallsPerStep: setting({
		env: ["CURSORWIRE_MAX_CALLS_PER_STEP"],
		default: 1_000,
		parse: wholeNumber(1, 1_000_000),
		about: "maximum number of tool calls that a model may make at once",
	}),
	maxBodyMiB: setting({
		env: ["CURSORWIRE_MAX_BODY_MIB"],
		default: 32,
		parse: wholeNumber(1, 256),
		about: "maximum MiB of a request body",
	}),
	bodyBudgetMiB: setting({
		env: ["CURSORWIRE_BODY_BUDGET_MIB"],
		default: 144,
		parse: wholeNumber(16, 65_536),
		about: "maximum MiB of request bodies being received at once from all callers; each caller has a share of it",
	}),
	maxTurns: setting({
		env: ["CURSORWIRE_MAX_TURNS"],
		default: 256,
		parse: wholeNumber(1, 1_000_000),
		about: "maximum number of concurrent turns in total",
	}),
	maxTurnsPerKey: setting({
		env: ["CURSORWIRE_MAX_TURNS_PER_KEY"],
		default: 64,
		parse: wholeNumber(1, 1_000_000),
		about: "maximum number of concurrent turns for a key without a limit of its own",
	}),
	maxGuestTurns: setting({
		env: ["CURSORWIRE_MAX_GUEST_TURNS"],
		default: 192,
		parse: wholeNumber(0, 1_000_000),
		about: "maximum number of concurrent turns for all Cursor credentials together",
	}),
	maxParkedRuns: setting({
		env: ["CURSORWIRE_MAX_PARKED_RUNS"],
		default: 256,
		parse: wholeNumber(0, 1_000_000),
		about: "maximum number of runs that may wait for tool results at once, in total",
	}),
	maxParkedRunsPerKey: setting({
		env: ["CURSORWIRE_MAX_PARKED_RUNS_PER_KEY"],
		default: 32,
		parse: wholeNumber(0, 1_000_000),
		about: "maximum number of runs that may wait for tool results at once, per key",
	}),
	parkedMinutes: setting({
		env: ["CURSORWIRE_PARKED_MINUTES"],
		default: 15,
		parse: wholeNumber(1, 10_080),
		about: "how many minutes a run waits for tool results",
	}),
	maxConnections: setting({
		env: ["CURSORWIRE_MAX_CONNECTIONS"],
		default: 1_024,
		parse: wholeNumber(8, 1_000_000),
		about: "maximum number of client connections at once, if the system allows that many open files",
	}),
	loopWarning: setting({
		env: ["CURSORWIRE_LOOP_WARNING"],
		default: 10,
		parse: wholeNumber(0, 1_000_000),
		about: "warn when a tool is called so often with the same arguments in one conversation; 0 never does",
	}),
	loopStop: setting({
		env: ["CURSORWIRE_LOOP_STOP"],
		default: 0,
		parse: wholeNumber(0, 1_000_000),
		about: "refuse the turn when a tool was called so often with the same arguments; 0 never does",
	}),
	apiPoolFallback: setting({
		env: ["CURSORWIRE_API_POOL_FALLBACK"],
		default: 0,
		parse: wholeNumber(0, 100),
		about:
			"from so many percent of the api pool on, new runs go to the model `auto`, and the reply says so; 0 never does that",
	}),
	requestSeconds: setting({
		env: ["CURSORWIRE_REQUEST_SECONDS"],
		default: 60,
		parse: wholeNumber(5, 3_600),
		about: "how many seconds a request may take to arrive with its body",
	}),
	stalledClientSeconds: setting({
		env: ["CURSORWIRE_STALLED_CLIENT_SECONDS"],
		default: 60,
		parse: wholeNumber(5, 3_600),
		about: "after how many seconds a client that reads nothing of its stream is disconnected",
	}),
	keepAliveSeconds: setting({
		env: ["CURSORWIRE_KEEP_ALIVE_SECONDS"],
		default: 15,
		parse: wholeNumber(1, 300),
		about: "after how many seconds without an event a stream gets a sign of life, so that proxies keep it open",
	}),
	conversationDays: setting({
		env: ["CURSORWIRE_CONVERSATION_DAYS"],
		default: 7,
		parse: wholeNumber(1, 3_650),
		about: "for how many days a conversation is kept that is not continued",
	}),
	responseDays: setting({
		env: ["CURSORWIRE_RESPONSE_DAYS"],
		default: 30,
		parse: wholeNumber(1, 3_650),
		about: "for how many days a response can be named by its id",
	}),
	ledgerDays: setting({
		env: ["CURSORWIRE_LEDGER_DAYS"],
		default: 365,
		parse: wholeNumber(32, 3_650),
		about: "for how many days the ledger keeps what a turn has used",
	}),
	silenceSeconds: setting({
		env: ["CURSORWIRE_SILENCE_SECONDS"],
		default: 120,
		parse: wholeNumber(10, 3_600),
		about: "for how many seconds Cursor may send nothing at all during a turn",
	}),
	heartbeatsMinutes: setting({
		env: ["CURSORWIRE_HEARTBEATS_MINUTES"],
		default: 10,
		parse: wholeNumber(1, 1_440),
		about: "for how many minutes Cursor may send nothing but signs of life during a turn",
	}),
	turnMinutes: setting({
		env: ["CURSORWIRE_TURN_MINUTES"],
		default: 60,
		parse: wholeNumber(1, 1_440),
		about: "how many minutes a turn may take, without the time that tools take",
	}),
} as const;
