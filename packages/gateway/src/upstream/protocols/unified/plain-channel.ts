import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { Channel, ChannelListener, ChannelRequest, OpenChannel } from "../../channels/channel.ts";

/** `stream_unified_chat_request` and `stream_unified_chat_response` in the wrappers for tools. */
const REQUEST = 1;
const RESPONSE = 2;

/** `StreamUnifiedChat`: the same messages without the wrapper that has room for tools. */
export class PlainChatChannel implements Channel {
	readonly name: Channel["name"];
	readonly isHttp2: boolean;
	readonly #inner: Channel;

	constructor(inner: Channel) {
		this.#inner = inner;
		this.name = inner.name;
		this.isHttp2 = inner.isHttp2;
	}

	open(request: ChannelRequest, first: Uint8Array | undefined, listener: ChannelListener): OpenChannel {
		return this.#inner.open(request, first && unwrapped(first), {
			message: (bytes, start, end) => listener.message(wrapped(bytes.subarray(start, end))),
			batchEnd: () => listener.batchEnd(),
			ended: (end) => listener.ended(end),
		});
	}
}

function unwrapped(message: Uint8Array): Uint8Array {
	const reader = new BinaryReader(message);
	const [field] = reader.tag();
	if (field !== REQUEST) throw new Error("a plain chat takes nothing but its request");
	return reader.bytes();
}

function wrapped(response: Uint8Array): Uint8Array {
	return new BinaryWriter().tag(RESPONSE, WireType.LengthDelimited).bytes(response).finish();
}
