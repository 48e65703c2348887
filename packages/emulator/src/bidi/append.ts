import { setTimeout as sleep } from "node:timers/promises";
import { type BidiAppendRequest, BidiService as BidiRpc } from "@cursorwire/protocol/aiserver";
import type { Backend } from "../backend.ts";
import type { Handler } from "../http/router.ts";
import { RpcFailure } from "../rpc/failure.ts";
import { unary } from "../rpc/unary.ts";

/**
 * BidiService/BidiAppend: one message of the client's half over HTTP/1.1, with its number (docs/protocol.md, Framing).
 * SDK 1.0.18 and 1.0.32 send the message either as hex in `data` or, with binary encoding, as it is in `data_binary`.
 */
export function bidiAppend(backend: Backend): Handler {
	const { stats, faults, directory } = backend;
	return unary(
		BidiRpc.method.bidiAppend,
		(request, exchange) => {
			directory.byAccessToken(exchange.headers.authorization);
			const requestId = request.requestId?.requestId;
			if (!requestId) throw new RpcFailure("invalid_argument", "request_id is missing");
			const fault = faults.empty ? undefined : faults.take("append", "BidiAppend", backend.inboxes.count(requestId));
			const deliver = () => {
				const { arrival, claimed } = backend.inboxes.put(
					requestId,
					request.appendSeqno,
					messageOf(request, backend.strict),
				);
				stats.appends.received += 1;
				if (arrival === "early") stats.appends.outOfOrder += 1;
				if (arrival === "duplicate") stats.appends.duplicate += 1;
				if (!claimed && arrival !== "late") stats.appends.beforeStream += 1;
				return {};
			};
			switch (fault?.name) {
				case "status":
					throw new RpcFailure(Number(fault.value) === 503 ? "unavailable" : "internal", "append refused by fault");
				case "drop-append":
					return {};
				case "stall":
					return new Promise(() => {});
				case "delay":
					return sleep(Number(fault.value ?? 1000)).then(deliver);
				default:
					return deliver();
			}
		},
		(exchange, body) => {
			const { requestId, appendSeqno = "0" } = body as { requestId?: unknown; appendSeqno?: string };
			backend.log.addBody(exchange, { requestId, appendSeqno });
		},
	);
}

function messageOf(request: BidiAppendRequest, strict: boolean): Uint8Array {
	if (request.dataBinary.length > 0) return request.dataBinary;
	const hex = request.data;
	if (strict && !/^([0-9a-f]{2})*$/.test(hex)) throw new RpcFailure("invalid_argument", "data is not lower-case hex");
	if (hex.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(hex)) throw new RpcFailure("invalid_argument", "data is not hex");
	return Buffer.from(hex, "hex");
}
