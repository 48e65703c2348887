import { once } from "node:events";
import { SettingError } from "../../../config/settings.ts";
import type { LogEntry } from "../../../observe/log-entry.ts";
import { entryText } from "../../../observe/log-text.ts";
import { type StreamedEvent, streamedEvents } from "../../gateway/event-stream.ts";
import { askGateway, gatewayOf } from "../../gateway/gateway-command.ts";
import { logFilter } from "../../gateway/log-filter.ts";
import type { LogsFlags } from "../../options/gateway/logs.ts";
import { NoGatewayError } from "../../process/exit-codes.ts";
import { runCommand } from "../../process/run-command.ts";
import { painter } from "../../terminal/output.ts";

const PATH = "/v1/cursorwire/log";

/** `cursorwire logs`. Ctrl-C ends it without a word, because that is how a log that is followed ends. */
export function logs(flags: LogsFlags): Promise<void> {
	return runCommand(async (signal) => {
		const wanted = logFilter(flags);
		const lines = lineCount(flags.lines);
		const gateway = gatewayOf(flags);
		// The program that reads from here has seen enough.
		process.stdout.on("error", () => process.exit());
		const print = entryPrinter(flags);
		const printLast = async (entries: LogEntry[]) => {
			for (const entry of lines === 0 ? [] : entries.filter(wanted).slice(-lines)) await print(entry);
		};
		try {
			const response = await askGateway(gateway, flags.follow ? `${PATH}?follow=true` : PATH, signal);
			if (!flags.follow) return await printLast(((await response.json()) as { entries: LogEntry[] }).entries);
			await follow(streamedEvents(response.body!), printLast, (entry) => (wanted(entry) ? print(entry) : undefined));
		} catch (error) {
			if (!signal.aborted) throw error;
		}
	});
}

async function follow(
	events: AsyncIterable<StreamedEvent>,
	printLast: (entries: LogEntry[]) => Promise<void>,
	print: (entry: LogEntry) => Promise<void> | undefined,
): Promise<void> {
	let earlier: LogEntry[] | undefined = [];
	try {
		for await (const { name, data } of events) {
			if (name === "end") return console.error("The gateway has ended.");
			if (name === "dropped") console.error(`${JSON.parse(data).dropped} lines were missed: they came too fast.`);
			else if (name === "live") {
				await printLast(earlier ?? []);
				earlier = undefined;
			} else if (earlier) earlier.push(JSON.parse(data));
			else await print(JSON.parse(data));
		}
	} catch (error) {
		if ((error as Error).name === "AbortError") throw error;
	}
	throw new NoGatewayError("The connection to the gateway was lost. Start it again with `cursorwire serve`.");
}

/** Prints an entry, and waits where the reader is slow, so that the gateway notices that it is. */
function entryPrinter({ json, text }: LogsFlags): (entry: LogEntry) => Promise<void> {
	const { stdout } = process;
	const isText = !json && (text || stdout.isTTY);
	const paint = painter(stdout);
	return async (entry) => {
		const line = isText ? entryText(entry, paint) : JSON.stringify(entry);
		if (!stdout.write(`${line}\n`)) await once(stdout, "drain");
	};
}

function lineCount(text: string): number {
	if (/^\d{1,6}$/.test(text)) return Number(text);
	throw new SettingError(`--lines: takes a whole number, not "${text}"`);
}
