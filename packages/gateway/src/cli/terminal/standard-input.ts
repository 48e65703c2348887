import { fstatSync } from "node:fs";
import { GatewayError } from "../../turn/error.ts";

/** The whole of standard input, as text. Ctrl-C ends the wait for more. */
export async function readStandardInput(most: number, signal: AbortSignal): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	const stop = () => process.stdin.destroy(new GatewayError("cancelled"));
	signal.addEventListener("abort", stop, { once: true });
	try {
		for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
			size += chunk.length;
			if (size > most) throw new GatewayError("invalid-request", "Standard input is too long.");
			chunks.push(chunk);
		}
	} finally {
		signal.removeEventListener("abort", stop);
	}
	return decode(Buffer.concat(chunks));
}

function decode(bytes: Buffer): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new GatewayError("invalid-request", "Standard input is not text in UTF-8.");
	}
}

/**
 * Whether a shell has given the program a file or a pipe to read. A socket does not count: programs that start this one
 * often leave it open and never write to it.
 */
export function isInputGiven(): boolean {
	try {
		const status = fstatSync(0);
		return status.isFile() || status.isFIFO();
	} catch {
		return false;
	}
}
