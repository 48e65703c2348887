export interface SeenCancel {
	at: number;
	requestId: string;
	rpc: string;
}

/** Counters that let a test prove what happened on the wire. */
export class Stats {
	readonly startedAt = Date.now();
	readonly runs = {
		started: 0,
		/** Ended with turn_ended and a clean end of stream. */
		ended: 0,
		failed: 0,
		/** Runs that began with a resume_action. */
		resumed: 0,
		/** Tool results that arrived on a stream that was open already. */
		resumedByToolResult: 0,
		cancelled: [] as SeenCancel[],
	};
	/** Requests whose stream or connection is still in use, even if the whole response was sent. */
	readonly exchanges = { open: 0 };
	readonly streams = { open: 0, opened: 0, peak: 0 };
	readonly frames = { sent: 0, received: 0, heartbeats: 0, execHeartbeats: 0, unknownAnswers: 0 };
	readonly blobs = { read: 0, missing: 0, written: 0 };
	readonly appends = { received: 0, outOfOrder: 0, beforeStream: 0, duplicate: 0 };
	readonly auth = { exchanges: 0, refreshes: 0, refused: 0, polls: 0, logins: 0, keysMinted: 0 };
	readonly connections = { accepted: 0, http1: 0, h2: 0 };
	readonly rpcs: Record<string, number> = {};

	streamOpened(): void {
		this.streams.open += 1;
		this.streams.opened += 1;
		this.streams.peak = Math.max(this.streams.peak, this.streams.open);
	}

	streamClosed(): void {
		this.streams.open -= 1;
	}

	called(path: string): void {
		this.rpcs[path] = (this.rpcs[path] ?? 0) + 1;
	}
}
