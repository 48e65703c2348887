import { fromBinary } from "@bufbuild/protobuf";
import {
	type StreamUnifiedChatRequestWithTools,
	StreamUnifiedChatRequestWithToolsSchema,
} from "@cursorwire/protocol/aiserver";
import type { TestGateway } from "../kit/gateway.ts";

/** A message that a machine wants sent. */
export function readRequest(message: Uint8Array): StreamUnifiedChatRequestWithTools["request"] {
	return fromBinary(StreamUnifiedChatRequestWithToolsSchema, message).request;
}

/** What the emulator was asked over one RPC, newest last. */
export function requestsOf({ emulator }: Pick<TestGateway, "emulator">, rpc: string) {
	return emulator.requests().filter(({ path }) => path.endsWith(`/${rpc}`));
}
