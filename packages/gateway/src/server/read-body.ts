import type { IncomingMessage } from "node:http";
import { inSlices } from "../time/slices.ts";
import { GatewayError } from "../turn/error.ts";
import { BytePile } from "./byte-pile.ts";

export interface ReadBodyOptions {
	/** Longer ones are refused. */
	limit: number;
	/** As long as this, a body of unknown length has room already. */
	smallBytes: number;
	/** Called before it becomes longer; the body is read on when this resolves. */
	askForMore(): Promise<void>;
}

/** How long a body says it is; undefined where it comes in chunks. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
	if (headers["transfer-encoding"] !== undefined) return undefined;
	return Number(headers["content-length"] ?? 0);
}

export function bodyTooLarge(limit: number): GatewayError {
	return new GatewayError("too-large", undefined, { detail: `A body may have ${limit / 1024 / 1024} MiB.` });
}

/** The whole body. Nothing of it is read before this is called. */
export async function readBody(request: IncomingMessage, options: ReadBodyOptions): Promise<Buffer> {
	const { limit, smallBytes, askForMore } = options;
	const isLengthKnown = declaredLength(request) !== undefined;
	const pile = new BytePile();
	// A request that is refused midway still gets its answer, so its stream is not destroyed.
	for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
		const length = pile.length + chunk.length;
		if (length > limit) throw bodyTooLarge(limit);
		if (!isLengthKnown && pile.length <= smallBytes && length > smallBytes) await askForMore();
		pile.add(chunk);
	}
	return inSlices(pile.take());
}
