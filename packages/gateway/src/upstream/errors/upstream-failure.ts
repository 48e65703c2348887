import type { ErrorDetails } from "@cursorwire/protocol/aiserver";
import type { GatewayError } from "../../turn/error.ts";
import type { RpcCode } from "../../wire/framing/end-stream.ts";
import type { ErrorDetailsName } from "./error-details.ts";

/** The cause of a decoded `GatewayError`: what the upstream said in its own terms, for the log and for decisions. */
export class UpstreamFailure extends Error {
	override readonly name = "UpstreamFailure";
	readonly code: RpcCode;
	readonly errorName: ErrorDetailsName | undefined;
	/** Refused without a reason. */
	readonly isBare: boolean;
	readonly #details: ErrorDetails | undefined;

	constructor(code: RpcCode, errorName: ErrorDetailsName | undefined, isBare: boolean, details?: ErrorDetails) {
		super(errorName === undefined ? code : `${code} ERROR_${errorName}`);
		this.code = code;
		this.errorName = errorName;
		this.isBare = isBare;
		this.#details = details;
	}

	/** The details as they arrived. A getter keeps them out of printed errors. */
	get details(): ErrorDetails | undefined {
		return this.#details;
	}
}

/** The upstream has no such method. Either Connect says so, or a server that does not know Connect. */
export function isUnimplemented({ cause }: GatewayError): boolean {
	return cause instanceof UpstreamFailure && cause.code === "unimplemented";
}
