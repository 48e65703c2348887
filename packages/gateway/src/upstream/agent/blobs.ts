import { createHash } from "node:crypto";
import { chunks } from "../../turn/digest.ts";
import { atOnce, type Sliced } from "../../turn/slices.ts";

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
	readonly #byId = new Map<string, Uint8Array>();
	/** Ids that the server has stored here in this run. */
	readonly #written = new Set<string>();

	/** Keeps a blob of ours and returns its id. */
	add(data: Uint8Array): Uint8Array {
		const id = atOnce(blobId(data));
		this.#byId.set(id.toString("hex"), data);
		return id;
	}

	/** Takes blobs that were stored with a checkpoint. */
	load(blobs: ReadonlyMap<string, Uint8Array>): void {
		for (const [id, data] of blobs) this.#byId.set(id, data);
	}

	/** Stores under the id that the server names: it is not ours to check. */
	set(id: Uint8Array, data: Uint8Array): void {
		const key = hex(id);
		this.#byId.set(key, data);
		this.#written.add(key);
	}

	get(id: Uint8Array): Uint8Array | undefined {
		return this.#byId.get(hex(id));
	}

	/** The blobs behind these ids, as far as they are here. */
	pick(ids: Iterable<string>): Map<string, Uint8Array> {
		const picked = new Map<string, Uint8Array>();
		for (const id of ids) {
			const data = this.#byId.get(id);
			if (data) picked.set(id, data);
		}
		return picked;
	}
}

export const hex = (bytes: Uint8Array): string =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
