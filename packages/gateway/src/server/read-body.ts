import type { IncomingMessage } from "node:http";
import { atOnce, inSlices } from "../time/slices.ts";
import { GatewayError } from "../turn/error.ts";
import { BytePile } from "./byte-pile.ts";

export interface ReadBodyOptions {
	/** In bytes. Longer bodies are refused. */
	limit: number;
	/** Up to this length, a body of unknown length already has room. */
	smallBytes: number;
	/** Called before the body exceeds `smallBytes`. Reading continues when this resolves. */
	askForMore(): Promise<void>;
}

/** The length that a request declares for its body. Undefined if it is chunked. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
	if (headers["transfer-encoding"] !== undefined) return undefined;
	return Number(headers["content-length"] ?? 0);
}

export function bodyTooLarge(limit: number): GatewayError {
	return new GatewayError("too-large", undefined, { detail: `A body may have at most ${limit / 1024 / 1024} MiB.` });
}

/** Reads the whole body. None of it is read before this is called. */
export function readBody(request: IncomingMessage, options: ReadBodyOptions): Promise<Buffer> {
	const length = declaredLength(request);
	return length !== undefined && length <= options.smallBytes ? readSmall(request, length) : readAny(request, options);
}

/** A small body usually comes in one piece. It is never longer than the request says. */
function readSmall(request: IncomingMessage, length: number): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		// Nothing would come any more, not even an error.
		if (request.destroyed) throw new GatewayError("cancelled");
		let whole: Buffer | undefined;
		const pile = new BytePile();
		request.on("data", (piece: Buffer) => {
			if (piece.length === length) whole = piece;
			else pile.add(piece);
		});
		request.once("end", () => resolve(whole ?? atOnce(pile.take())));
		request.once("error", reject);
	});
}

async function readAny(request: IncomingMessage, options: ReadBodyOptions): Promise<Buffer> {
	const { limit, smallBytes, askForMore } = options;
	const isLengthKnown = declaredLength(request) !== undefined;
	const pile = new BytePile();
	// A request that is refused halfway still gets its response, so its stream is not destroyed.
	for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
		const length = pile.length + chunk.length;
		if (length > limit) throw bodyTooLarge(limit);
		if (!isLengthKnown && pile.length <= smallBytes && length > smallBytes) await askForMore();
		pile.add(chunk);
	}
	return inSlices(pile.take());
}
