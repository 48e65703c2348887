import type { IncomingMessage } from "node:http";
import type { GatewayError } from "../turn/error.ts";

/** As much of a request as tells which API its client uses. */
export type RequestHead = Pick<IncomingMessage, "url" | "headers">;

/** What the server itself says to a client, in the form of the API that the client uses. */
export interface ClientForm {
	/** The header that tells the id of a request. */
	readonly requestIdHeader: string;
	encodeError(
		error: GatewayError,
		requestId: string,
	): { status: number; headers: Record<string, string>; body: object };
}
