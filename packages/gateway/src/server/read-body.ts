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

/** Gets the whole body, or the error that kept it from coming. */
export interface BodyReader {
	arrived(body: Buffer): void;
	failed(error: unknown): void;
}

/** The length that a request declares for its body. Undefined if it is chunked. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
	if (headers["transfer-encoding"] !== undefined) return undefined;
	return Number(headers["content-length"] ?? 0);
}

export function bodyTooLarge(limit: number): GatewayError {
	return new GatewayError("too-large", undefined, { detail: `A body may have at most ${limit / 1024 / 1024} MiB.` });
}

/** Reads the whole body. None of it is read before this is called. Throws where nothing can come any more. */
export function readBody(request: IncomingMessage, options: ReadBodyOptions, reader: BodyReader): void {
	const length = declaredLength(request);
	if (length !== undefined && length <= options.smallBytes) return readSmall(request, length, reader);
	readAny(request, options).then(
		(body) => reader.arrived(body),
		(error) => reader.failed(error),
	);
}

/** A small body usually comes in one piece. It is never longer than the request says. */
function readSmall(request: IncomingMessage, length: number, reader: BodyReader): void {
	// Nothing would come any more, not even an error.
	if (request.destroyed) throw new GatewayError("cancelled");
	let whole: Buffer | undefined;
	let pile: BytePile | undefined;
	request.on("data", (piece: Buffer) => {
		if (piece.length === length) whole = piece;
		else {
			pile ??= new BytePile();
			pile.add(piece);
		}
	});
	let isRead = false;
	request.on("end", () => {
		isRead = true;
		const body = whole ?? atOnce((pile ?? new BytePile()).take());
		// The listeners stay for as long as the response is open. The body must not.
		whole = undefined;
		reader.arrived(body);
	});
	request.on("error", (error) => isRead || reader.failed(error));
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
