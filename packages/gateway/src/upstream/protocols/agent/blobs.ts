import { createHash } from "node:crypto";
import { chunks } from "../../../text/digest.ts";
import type { Sliced } from "../../../time/slices.ts";
import { DEFAULT_SIZE_LIMITS, type SizeLimits, tooLarge } from "../../run/size-limits.ts";

/** What an entry costs beside its content. */
const ENTRY_BYTES = 256;

/** The SHA-256 of it. */
export function* blobId(data: Uint8Array): Sliced<Buffer> {
	const hash = createHash("sha256");
	for (const chunk of chunks(data)) {
		hash.update(chunk);
		yield;
	}
	return hash.digest();
}

/** The client's half of the blob channel: content by the SHA-256 of it. One for a run. */
export class RunBlobs {
	readonly #limits: SizeLimits;
	#byId: Map<string, Uint8Array> | undefined;
	/** What the run began with. There may be a hundred thousand of them, so they stay where they are. */
	readonly #loaded: ReadonlyMap<string, Uint8Array>[] = [];
	/** Sizes of what the server has stored here in this run, by id. */
	#written: Map<string, number> | undefined;
	#writtenBytes = 0;

	constructor(limits: SizeLimits = DEFAULT_SIZE_LIMITS) {
		this.#limits = limits;
	}

	/** Takes blobs of a rebuilt history, or those that were stored with a checkpoint. Nobody may change them any more. */
	load(blobs: ReadonlyMap<string, Uint8Array>): void {
		if (blobs.size > 0) this.#loaded.push(blobs);
	}

	/** Stores under the id that the server names: it is not ours to check. Throws where it stores too much. */
	set(id: Uint8Array, data: Uint8Array): void {
		const key = hex(id);
		const size = ENTRY_BYTES + key.length + data.length;
		this.#written ??= new Map();
		this.#writtenBytes += size - (this.#written.get(key) ?? 0);
		if (this.#writtenBytes > this.#limits.blobBytes) throw tooLarge("blobBytes", this.#limits);
		this.#written.set(key, size);
		// A copy: what came is a part of a larger piece of the stream, all of which would be kept with it.
		this.#byId ??= new Map();
		this.#byId.set(key, Uint8Array.prototype.slice.call(data));
	}

	get(id: Uint8Array): Uint8Array | undefined {
		return this.#find(hex(id));
	}

	/** The blobs behind these ids, as far as they are here. */
	pick(ids: Iterable<string>): Map<string, Uint8Array> {
		const picked = new Map<string, Uint8Array>();
		for (const id of ids) {
			const data = this.#find(id);
			if (data) picked.set(id, data);
		}
		return picked;
	}

	#find(key: string): Uint8Array | undefined {
		return this.#byId?.get(key) ?? this.#loaded.find((blobs) => blobs.has(key))?.get(key);
	}
}

export const hex = (bytes: Uint8Array): string =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
