import { fstatSync, write, writeSync } from "node:fs";
import pino, { type Logger } from "pino";
import { asStarted } from "../text/as-started.ts";
import { coloured, plain } from "../text/paint.ts";
import { tidyFields } from "./log-entry.ts";
import { type LogOutput, LogSink } from "./log-sink.ts";
import { entryText } from "./log-text.ts";

export type { Logger };

const STANDARD_ERROR = 2;

/** `auto`: text in a terminal, JSON everywhere else. */
export type LogFormat = "auto" | "text" | "json";

/**
 * One line of JSON per event. Every caller lists the fields that it logs: bodies, headers and prompts never get here.
 */
export function createLog(level: string, sink: LogSink): Logger {
	const formatters = { log: tidyFields };
	return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters }, sink);
}

/** Writes to standard error, whether it is a file, a terminal or a pipe. */
export function openLogSink(format: LogFormat = "auto"): LogSink {
	const isText = format === "text" || (format === "auto" && process.stderr.isTTY === true);
	const write = standardError();
	const output: LogOutput = (text, done) => write(asStarted(text), done);
	const sink = new LogSink({ output, now: Date.now, ...(isText && { format: textLine() }) });
	process.once("exit", () => {
		try {
			// A full pipe fails at once instead of blocking.
			writeSync(STANDARD_ERROR, sink.takeRest());
		} catch {
			// It was the last attempt.
		}
	});
	return sink;
}

/** Coloured in a terminal, unless NO_COLOR is set. */
function textLine(): (line: string) => string {
	const paint = process.stderr.isTTY && process.stderr.hasColors() ? coloured : plain;
	return (line) => `${entryText(JSON.parse(line), paint)}\n`;
}

/**
 * A pipe is written through its stream, which does not wait for the reader. A write to the descriptor would wait, in a
 * thread that keeps the process alive, and forever if the pipe is not read.
 */
function standardError(): LogOutput {
	if (!isPipe()) return writeToFile;
	// Without a listener, a closed pipe would end the process.
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
