import type { GatewayError } from "../../turn/error.ts";
import type { AssistantMessage } from "../../turn/request.ts";
import type { ProtocolName } from "../protocols/driver.ts";

/** How a run ends: in order, with an error, given up, or because its stream closed while it waited for results. */
export type RunEnd = "ended" | "failed" | "cancelled" | "lost";

/** Why a run goes on with another stream. */
export type RetryReason = "connect" | "reset" | "stalled" | "server" | "auth";

/** Follows a run through its turns. */
export interface RunObserver<Run> {
	/** A reply ended in tool calls, and the stream waits for their results. Called before the listener gets the end. */
	parked?(run: Run): void;
	/** A reply is complete, and its listener has all of it. Not called for one that was too long to remember. */
	replied?(run: Run, message: AssistantMessage): void;
	/** The host does not serve a protocol; the run goes on with the next one. */
	switched?(from: ProtocolName, to: ProtocolName): void;
	/** Why the run must not go on with another stream, which would cost the owner more. */
	mayRetry?(run: Run): GatewayError | undefined;
	/** The stream failed, and the run goes on with another one. */
	retried?(run: Run, reason: RetryReason): void;
	/** The run is over. `error` is what it failed with. */
	over?(run: Run, how: RunEnd, error?: GatewayError): void;
}
