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

	/** As they came; out of sight of whoever prints the error. */
	get details(): ErrorDetails | undefined {
		return this.#details;
	}
}

/** Nobody serves such a call there: told in Connect's terms, or by a server that never heard of them. */
export function isUnimplemented({ cause }: GatewayError): boolean {
	return cause instanceof UpstreamFailure && cause.code === "unimplemented";
}
