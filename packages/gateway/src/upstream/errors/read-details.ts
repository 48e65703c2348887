import { fromBinary } from "@bufbuild/protobuf";
import { type ErrorDetails, ErrorDetails_Error, ErrorDetailsSchema } from "@cursorwire/protocol/aiserver";
import type { RpcErrorDetail } from "../../wire/framing/end-stream.ts";
import type { ErrorDetailsName } from "./error-details.ts";

/** The part of `aiserver.v1.ErrorDetails` that decides how to react, and that people can read. */
export interface ReadDetails {
	/** Undefined for a value that this version does not know. */
	name: ErrorDetailsName | undefined;
	title: string;
	detail: string;
	isRetryable: boolean | undefined;
	providerStatus: number | undefined;
	/** Undefined if only the JSON form could be read. */
	message?: ErrorDetails;
}

const NAMES: ReadonlyMap<number, ErrorDetailsName> = new Map(
	Object.entries(ErrorDetails_Error).map(([name, value]) => [value, name as ErrorDetailsName]),
);
const TYPE = /(^|\/)aiserver\.v1\.ErrorDetails$/;

/** Reads the details of an error from the binary value, or from its JSON form if that fails. */
export function readDetails(details: readonly RpcErrorDetail[]): ReadDetails | undefined {
	for (const detail of details) {
		if (!TYPE.test(detail.type)) continue;
		const read = fromValue(detail.value) ?? fromDebug(detail.debug);
		if (read) return read;
	}
	return undefined;
}

function fromValue(value: Uint8Array): ReadDetails | undefined {
	if (value.length === 0) return undefined;
	try {
		const message = fromBinary(ErrorDetailsSchema, value);
		const { error, details } = message;
		return {
			message,
			name: NAMES.get(error),
			title: details?.title ?? "",
			detail: details?.detail ?? "",
			isRetryable: details?.isRetryable,
			providerStatus: statusOf(details?.additionalInfo.providerStatusCode),
		};
	} catch {
		return undefined;
	}
}

/** Parsed by hand, so that a field of the wrong type does not lose the others. */
function fromDebug(debug: unknown): ReadDetails | undefined {
	if (!isObject(debug)) return undefined;
	const details = isObject(debug.details) ? debug.details : {};
	const info = details.additionalInfo ?? details.additional_info;
	const isRetryable = details.isRetryable ?? details.is_retryable;
	return {
		name: nameOf(debug.error),
		title: textOf(details.title),
		detail: textOf(details.detail),
		isRetryable: typeof isRetryable === "boolean" ? isRetryable : undefined,
		providerStatus: statusOf(isObject(info) ? info.providerStatusCode : undefined),
	};
}

function nameOf(error: unknown): ErrorDetailsName | undefined {
	if (typeof error === "number") return NAMES.get(error);
	const name = textOf(error).replace(/^ERROR_/, "");
	return Object.hasOwn(ErrorDetails_Error, name) ? (name as ErrorDetailsName) : undefined;
}

function statusOf(text: unknown): number | undefined {
	const status = Number(text);
	return Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined;
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
