/** The text messages in what a client sends over a WebSocket. */
export class ClientFrames {
	readonly #said: (text: string) => void;
	#bytes = Buffer.alloc(0);
	#message = "";

	constructor(said: (text: string) => void) {
		this.#said = said;
	}

	add(chunk: Buffer): void {
		this.#bytes = Buffer.concat([this.#bytes, chunk]);
		while (this.#takeFrame()) {
			// The next one may be there already.
		}
	}

	#takeFrame(): boolean {
		const bytes = this.#bytes;
		if (bytes.length < 2 || bytes.length < headLength(bytes)) return false;
		const short = bytes[1]! & 0x7f;
		const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
		const start = headLength(bytes);
		if (bytes.length < start + length) return false;
		const mask = bytes.subarray(start - 4, start);
		const payload = Buffer.from(bytes.subarray(start, start + length).map((byte, at) => byte ^ mask[at & 3]!));
		this.#bytes = bytes.subarray(start + length);
		if ((bytes[0]! & 0x0f) > 1) return true;
		this.#message += payload.toString("utf8");
		if ((bytes[0]! & 0x80) === 0) return true;
		this.#said(this.#message);
		this.#message = "";
		return true;
	}
}

/** With the mask. */
function headLength(bytes: Buffer): number {
	const short = (bytes[1] ?? 0) & 0x7f;
	return 6 + (short === 126 ? 2 : short === 127 ? 8 : 0);
}
