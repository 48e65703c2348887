import type { CapacityLimits } from "../access/capacity.ts";
import type { Settings } from "../config/settings.ts";
import { bodyLimits } from "../server/body-limits.ts";
import { connectionsFor } from "../server/descriptors.ts";
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from "../server/server-limits.ts";
import type { ParkedLimits } from "../sessions/parked-runs.ts";
import type { KeptTimes } from "../store/limits.ts";
import { DEFAULT_STREAM_LIMITS, type StreamLimits } from "../turns/stream-limits.ts";
import type { RunLimits } from "../upstream/run/run-limits.ts";
import type { SizeLimits } from "../upstream/run/size-limits.ts";

// Translates settings into limits.

const DAY = 24 * 60 * 60 * 1000;

const bytes = (mebibytes: number) => mebibytes * 1024 * 1024;

/** `openFiles`: how many open files the system allows. */
export function serverLimits(settings: Settings, openFiles: number): ServerLimits {
	const bodyBytes = bytes(settings.maxBodyMiB);
	return {
		...DEFAULT_SERVER_LIMITS,
		bodyBytes,
		requestMs: settings.requestSeconds * 1_000,
		bodies: bodyLimits(bytes(settings.bodyBudgetMiB), bodyBytes),
		connections: connectionsFor(openFiles, settings.maxConnections),
	};
}

export function turnLimits(settings: Settings): CapacityLimits {
	return { total: settings.maxTurns, perCaller: settings.maxTurnsPerKey, guests: settings.maxGuestTurns };
}

export function parkedLimits(settings: Settings): ParkedLimits {
	return {
		deadlineMs: settings.parkedMinutes * 60_000,
		total: settings.maxParkedRuns,
		perCaller: settings.maxParkedRunsPerKey,
	};
}

export function streamLimits(settings: Settings): StreamLimits {
	return {
		...DEFAULT_STREAM_LIMITS,
		commentMs: settings.keepAliveSeconds * 1_000,
		stalledClientMs: settings.stalledClientSeconds * 1_000,
	};
}

/** For how long the store keeps things. */
export function keptTimes(settings: Settings): KeptTimes {
	return { checkpointTtlMs: settings.conversationDays * DAY, ledgerTtlMs: settings.ledgerDays * DAY };
}

export const responsesKeptMs = (settings: Settings): number => settings.responseDays * DAY;

/** How long a run may take, and Cursor may be silent in it. */
export function runDeadlines(settings: Settings): Pick<RunLimits, "silenceMs" | "heartbeatsOnlyMs" | "wholeTurnMs"> {
	return {
		silenceMs: settings.silenceSeconds * 1_000,
		heartbeatsOnlyMs: settings.heartbeatsMinutes * 60_000,
		wholeTurnMs: settings.turnMinutes * 60_000,
	};
}

export function sizeLimits(settings: Settings): SizeLimits {
	return {
		answerBytes: bytes(settings.maxAnswerMiB),
		runBytes: bytes(settings.maxRunMiB),
		parkedBytes: bytes(settings.maxParkedMiB),
		blobBytes: bytes(settings.maxBlobMiB),
		argumentBytes: bytes(settings.maxArgumentsMiB),
		callsPerStep: settings.maxCallsPerStep,
	};
}
