import { fstatSync, write, writeSync } from "node:fs";
import pino, { type Logger } from "pino";
import { type LogOutput, LogSink } from "./log-sink.ts";

export type { Logger };

const STANDARD_ERROR = 2;

/**
 * One line of JSON an event. What is logged is listed where it is logged: no body, no header, no prompt ever gets here.
 */
export function createLog(level: string, sink: LogSink): Logger {
	return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, sink);
}

/** The way to standard error, whatever that is. */
export function openLogSink(): LogSink {
	const sink = new LogSink({ output: standardError(), now: Date.now });
	process.once("exit", () => {
		try {
			// A pipe that is full says so at once.
			writeSync(STANDARD_ERROR, sink.takeRest());
		} catch {
			// It was the last attempt.
		}
	});
	return sink;
}

/**
 * A pipe is written by its stream, which does not wait for the reader. A write by number would: in a thread, which the
 * process cannot end before that, and so not at all where nobody reads.
 */
function standardError(): LogOutput {
	if (!isPipe()) return writeToFile;
	// Without a listener a reader that has gone would end the process.
	process.stderr.on("error", () => {});
	return (text, done) => void process.stderr.write(text, done);
}

function isPipe(): boolean {
	try {
		const status = fstatSync(STANDARD_ERROR);
		return status.isFIFO() || status.isSocket();
	} catch {
		return false;
	}
}

function writeToFile(text: string, done: (error?: Error | null) => void): void {
	const bytes = Buffer.from(text);
	const writeFrom = (at: number) =>
		write(STANDARD_ERROR, bytes, at, bytes.length - at, null, (error, written) => {
			if (error || at + written >= bytes.length) done(error);
			else writeFrom(at + written);
		});
	writeFrom(0);
}
