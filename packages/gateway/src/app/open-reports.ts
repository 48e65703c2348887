import { FactLog } from "../observe/fact-log.ts";
import { FactStream } from "../observe/facts.ts";
import type { LogBook } from "../observe/log-book.ts";
import type { LogSink } from "../observe/log-sink.ts";
import type { Problem } from "../observe/problem.ts";
import { LogReaders } from "../routes/log-readers.ts";
import { type GatewayStore, storeProblems } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";

export interface ReportSources {
	store: GatewayStore;
	book: LogBook;
	/** Undefined: somebody else writes the log. */
	sink: LogSink | undefined;
	clock: Clock;
	facts?: FactStream | undefined;
}

/** By what the gateway says what happens: facts, the log that is made from them, and what is wrong at the moment. */
export interface Reports {
	facts: FactStream;
	factLog: FactLog;
	logReaders: LogReaders;
	problems(): Problem[];
	warn(what: string, error: unknown): void;
	reportBug(error: unknown): void;
}

export function openReports({ store, book, sink, clock, facts = new FactStream() }: ReportSources): Reports {
	const factLog = new FactLog(book, clock);
	facts.listen((fact) => fact.type === "turn-ended" && store.addToLedger(fact));
	facts.listen(factLog.write);
	return {
		facts,
		factLog,
		logReaders: new LogReaders(book, clock),
		problems: () => [...storeProblems(store.status()), ...(sink?.problems() ?? [])],
		warn: (what, error) => book.write("warn", { error: (error as Error)?.message }, what),
		reportBug: (error) =>
			book.write("error", { error: (error as Error)?.stack ?? String(error) }, "a mistake of the gateway"),
	};
}
