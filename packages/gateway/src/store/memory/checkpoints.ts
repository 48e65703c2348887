import { type StoreLimits, sizeOfBytes, sizeOfState } from "../limits.ts";
import type { FoundCheckpoint, StoredCheckpoint } from "../store.ts";
import { Spaces } from "./spaces.ts";

interface Checkpoint {
	conversationId: string;
	state: Uint8Array;
	blobIds: string[];
	lastUsedAt: number;
}

interface Blob {
	data: Uint8Array;
	/** How many checkpoints refer to it. */
	uses: number;
}

/** Checkpoints and their blobs, each blob once per caller. */
export class MemoryCheckpoints {
	readonly #spaces = new Spaces<Checkpoint>();
	readonly #blobs = new Map<string, Map<string, Blob>>();
	readonly #limits: StoreLimits;
	readonly #now: () => number;

	constructor(limits: StoreLimits, now: () => number) {
		this.#limits = limits;
		this.#now = now;
	}

	put(record: StoredCheckpoint, given: ReadonlyMap<string, Uint8Array>): boolean {
		const { caller, key, conversationId } = record;
		const blobIds = [...new Set(record.blobIds.map((id) => Buffer.from(id).toString("hex")))];
		const stored = this.#blobs.get(caller);
		const contents = blobIds.map((id) => stored?.get(id)?.data ?? given.get(id));
		if (!isComplete(contents)) return false;
		const size = contents.reduce((sum, data) => sum + sizeOfBytes(data), sizeOfState(record.state, blobIds.length));
		if (size > Math.min(this.#limits.checkpoints.perCaller, this.#limits.checkpoints.total)) return false;

		// The new one takes hold of its blobs before the old one releases them.
		const old = this.#spaces.get(caller, key);
		this.#spaces.set(caller, key, { conversationId, state: record.state.slice(), blobIds, lastUsedAt: this.#now() });
		this.#spaces.charge(caller, sizeOfState(record.state, blobIds.length));
		blobIds.forEach((id, index) => {
			this.#hold(caller, id, contents[index]!);
		});
		if (old) this.#release(caller, old);
		this.#trim(caller);
		return true;
	}

	find(caller: string, key: string): FoundCheckpoint | undefined {
		const found = this.#spaces.get(caller, key);
		if (!found || this.#isExpired(found)) return undefined;
		const blobs = this.#blobs.get(caller);
		this.#spaces.set(caller, key, { ...found, lastUsedAt: this.#now() });
		return {
			conversationId: found.conversationId,
			state: found.state,
			blobs: new Map(found.blobIds.map((id) => [id, blobs!.get(id)!.data])),
		};
	}

	cleanUp(): void {
		for (const { caller, key, entry } of [...this.#spaces.entries()]) {
			if (this.#isExpired(entry)) this.#drop(caller, key);
		}
	}

	#isExpired({ lastUsedAt }: Checkpoint): boolean {
		return lastUsedAt + this.#limits.checkpointTtlMs <= this.#now();
	}

	#trim(caller: string): void {
		for (;;) {
			const surplus = this.#spaces.surplus(caller, this.#limits.checkpoints);
			if (!surplus) return;
			this.#drop(surplus.caller, surplus.key);
		}
	}

	#drop(caller: string, key: string): void {
		const entry = this.#spaces.get(caller, key);
		if (!entry) return;
		this.#spaces.delete(caller, key);
		this.#release(caller, entry);
	}

	#release(caller: string, { state, blobIds }: Checkpoint): void {
		this.#spaces.charge(caller, -sizeOfState(state, blobIds.length));
		for (const id of blobIds) this.#letGo(caller, id);
	}

	#hold(caller: string, id: string, data: Uint8Array): void {
		let blobs = this.#blobs.get(caller);
		if (!blobs) {
			blobs = new Map();
			this.#blobs.set(caller, blobs);
		}
		const blob = blobs.get(id);
		if (blob) {
			blob.uses++;
			return;
		}
		blobs.set(id, { data: data.slice(), uses: 1 });
		this.#spaces.charge(caller, sizeOfBytes(data));
	}

	#letGo(caller: string, id: string): void {
		const blobs = this.#blobs.get(caller)!;
		const blob = blobs.get(id)!;
		if (--blob.uses > 0) return;
		blobs.delete(id);
		if (blobs.size === 0) this.#blobs.delete(caller);
		this.#spaces.charge(caller, -sizeOfBytes(blob.data));
	}
}

const isComplete = (contents: (Uint8Array | undefined)[]): contents is Uint8Array[] => !contents.includes(undefined);
