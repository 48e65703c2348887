import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { GatewayError } from "../../turn/error.ts";
import type { CountUnknown } from "../census/census.ts";

/** A message of the server. What this version does not know of it is counted, and never fatal. */
export function decode<Desc extends DescMessage>(
	schema: Desc,
	frame: Uint8Array,
	countUnknown: CountUnknown,
): MessageShape<Desc> {
	const message = read(schema, frame);
	countUnknown(schema, message);
	return message;
}

function read<Desc extends DescMessage>(schema: Desc, frame: Uint8Array): MessageShape<Desc> {
	try {
		return fromBinary(schema, frame);
	} catch (cause) {
		throw new GatewayError("upstream-protocol", "A message of Cursor cannot be read.", { cause });
	}
}
