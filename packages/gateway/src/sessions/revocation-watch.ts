import type { Ladder } from "./ladder.ts";

const CHECK_EVERY_MS = 1_000;

export interface RevocationWatchOptions {
	ladder: Pick<Ladder, "parkedRuns" | "closeParked">;
	/** Callers whose key was revoked since this was last asked. */
	newlyRevoked(): Promise<ReadonlySet<string>>;
	/** Whether the gateway's own Cursor login has been given up. */
	isSignedOut(): Promise<boolean>;
	/** Whether the runs of this caller use the gateway's own login. */
	usesOwnLogin(caller: string): boolean;
	warn(what: string, error: unknown): void;
}

/**
 * Ends parked runs that can never continue: those of callers whose key was revoked, since their results would be
 * refused, and those of a Cursor login that was given up. Returns the function that stops the watch.
 */
export function watchRevocations(options: RevocationWatchOptions): () => void {
	const { ladder, newlyRevoked, isSignedOut, usesOwnLogin, warn } = options;
	const timer = setInterval(() => {
		if (ladder.parkedRuns === 0) return;
		newlyRevoked().then(
			(revoked) => ladder.closeParked((caller) => revoked.has(caller)),
			(error) => warn("revoked keys cannot be read", error),
		);
		isSignedOut().then(
			(signedOut) => signedOut && ladder.closeParked(usesOwnLogin),
			(error) => warn("the login cannot be read", error),
		);
	}, CHECK_EVERY_MS);
	return () => clearInterval(timer);
}
