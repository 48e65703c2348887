// The smallest possible run: a question, and the first frame of the answer.
import { create, toBinary } from "@bufbuild/protobuf";
import { AgentClientMessageSchema } from "@cursorwire/protocol/agent";
import type { GatewayError } from "../../src/turn/error.ts";
import { runHeaders } from "../../src/upstream/account/identity.ts";
import type { ModelCandidate } from "../../src/upstream/catalog/resolve-model.ts";
import { decodeRpcError } from "../../src/upstream/errors/decode-rpc-error.ts";
import { decodeThrown } from "../../src/upstream/errors/decode-wire-error.ts";
import { parseEndStream } from "../../src/wire/framing/end-stream.ts";
import { EnvelopeFlag, EnvelopeReader, encodeEnvelope } from "../../src/wire/framing/envelope.ts";
import type { Transport } from "../../src/wire/stream.ts";
import { IDENTITY } from "./rig.ts";

/** Starts a run with this model, and gives it up at the first answer. Undefined: the backend takes the model. */
export async function refusal(
	transport: Transport,
	origin: URL,
	token: string,
	{ modelId, parameters, maxMode }: ModelCandidate,
): Promise<GatewayError | undefined> {
	const requestedModel = {
		modelId,
		maxMode,
		parameters: Object.entries(parameters).map(([id, value]) => ({ id, value })),
	};
	const action = { action: { case: "userMessageAction" as const, value: { userMessage: { text: "hello" } } } };
	const runRequest = { conversationState: {}, action, requestedModel };
	const message = create(AgentClientMessageSchema, { message: { case: "runRequest", value: runRequest } });
	const facts = { token, ghostMode: true, requestId: "r", originalRequestId: "r", now: 0 };
	const request = { origin, key: "k", path: "/agent.v1.AgentService/Run", headers: runHeaders(IDENTITY, facts) };
	return new Promise((resolve, reject) => {
		const reader = new EnvelopeReader();
		const opened = Promise.resolve(
			transport.open(request, {
				onHead: () => {},
				onData: (chunk) => {
					reader.push(chunk);
					const envelope = reader.next();
					if (!envelope) return;
					resolve(envelope.flags & EnvelopeFlag.END_STREAM ? errorOf(envelope.payload) : undefined);
					void opened.then((stream) => stream.cancel());
				},
				onEnd: () => reject(new Error("the run ended without an answer")),
				onError: reject,
			}),
		);
		opened.then((stream) => stream.write(encodeEnvelope(0, toBinary(AgentClientMessageSchema, message))), reject);
	});
}

function errorOf(payload: Uint8Array): GatewayError | undefined {
	try {
		const { error, metadata } = parseEndStream(payload);
		return error && decodeRpcError(error, metadata);
	} catch (thrown) {
		return decodeThrown(thrown);
	}
}
