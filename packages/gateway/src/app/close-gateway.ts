import type { LogSink } from "../observe/log-sink.ts";
import { sleep } from "../time/sleep.ts";
import type { GatewayParts } from "./open-parts.ts";

/** How far a gateway has come with its end. */
export interface Ending {
	/** Load balancers are told to send no more. */
	isLeaving: boolean;
	/** New turns are refused. */
	isClosing: boolean;
}

/** What is open besides the parts, once the gateway serves. */
export interface Serving {
	server: { refuse(): void; close(): Promise<unknown> };
	upstream: { close(): Promise<unknown> };
	stopWatch(): void;
	stopSharing(): void;
	sink: LogSink | undefined;
}

/** How long a load balancer has to notice that this gateway stops, before new turns are refused. */
const NOTICE_MS = 2_000;
/** How long writing the last lines of the log may take. */
const LAST_LINES_MS = 1_000;
/** How long sending the last spans may take. */
const LAST_SPANS_MS = 2_000;

/** Gives open responses at most this long to end, then ends everything: what is used by others after its users. */
export async function closeGateway(
	{ clock, store, guard, turns, ladder, group, page, factLog, logReaders, measuring }: GatewayParts,
	{ server, upstream, stopWatch, stopSharing, sink }: Serving,
	ending: Ending,
	graceMs: number,
): Promise<void> {
	ending.isLeaving = true;
	if (group && graceMs > 0) await sleep(NOTICE_MS, clock);
	ending.isClosing = true;
	// A load balancer that has not noticed yet tries another gateway, as it would not after a refusal in words.
	if (group) server.refuse();
	stopWatch();
	stopSharing();
	guard.close();
	await Promise.all([turns.allEnded(graceMs), group?.finish(graceMs)]);
	await group?.close();
	ladder.closeParked();
	factLog.close();
	await measuring.close(LAST_SPANS_MS);
	logReaders.close();
	page?.pages.close();
	await server.close();
	await upstream.close();
	await store.close();
	await sink?.drain(LAST_LINES_MS);
}
