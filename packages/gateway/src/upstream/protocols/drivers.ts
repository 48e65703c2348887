import type { Clock } from "../../time/clock.ts";
import { CONNECT_FRAMING, GRPC_WEB_FRAMING } from "../../wire/framing/framing.ts";
import type { Transport } from "../../wire/stream.ts";
import type { CountUnknown } from "../census/census.ts";
import type { Channel } from "../channels/channel.ts";
import { ChannelChooser } from "../channels/channel-chooser.ts";
import { H2DuplexChannel } from "../channels/h2-duplex.ts";
import { IdempotentChannel } from "../channels/idempotent.ts";
import { ServerStreamChannel } from "../channels/server-stream.ts";
import { SseAppendChannel } from "../channels/sse-append.ts";
import type { Observe } from "../run/observe.ts";
import type { RunLimits } from "../run/run-limits.ts";
import { agentDriver } from "./agent/driver.ts";
import type { Driver, ProtocolName } from "./driver.ts";
import { legacyDriver } from "./legacy/driver.ts";
import { unifiedDriver } from "./unified/driver.ts";
import { PlainChatChannel } from "./unified/plain-channel.ts";

/** Which RPC carries a unified chat. `auto`: the one with tools, on one stream or with appends as HTTP allows. */
export type UnifiedStream = "auto" | "idempotent" | "plain";
/** How the older protocols wrap their messages. */
export type OlderFraming = "connect" | "grpc-web";

export interface DriverOptions {
	http2: Transport;
	http1: Transport;
	/** HTTP/1.1 without trying. */
	forceHttp1: boolean;
	clock: Clock;
	limits: RunLimits;
	newId(): string;
	/** Looks at what the server of a protocol sends. */
	counterFor(protocol: ProtocolName): CountUnknown;
	observe?: Observe | undefined;
	unifiedStream: UnifiedStream;
	olderFraming: OlderFraming;
}

const RUN = "/agent.v1.AgentService/Run";
const CHAT = "/aiserver.v1.ChatService/StreamUnifiedChat";
const WITH_TOOLS = `${CHAT}WithTools`;
const LEGACY = "/aiserver.v1.AiService/StreamChat";

/** Every protocol with the channels that carry it. */
export function createDrivers(options: DriverOptions): Record<ProtocolName, Driver> {
	const { http2, http1, forceHttp1, clock, unifiedStream, counterFor } = options;
	const framing = options.olderFraming === "grpc-web" ? GRPC_WEB_FRAMING : CONNECT_FRAMING;
	const chooser = (duplex: Channel, sse: Channel) => new ChannelChooser({ duplex, sse, forceHttp1, clock });
	const withTools = (path: string, wrap: (channel: Channel) => Channel) =>
		chooser(wrap(new H2DuplexChannel(http2, path, framing)), wrap(new SseAppendChannel(http1, `${path}SSE`, framing)));
	const serverStream = (path: string, wrap: (channel: Channel) => Channel) =>
		chooser(
			wrap(new ServerStreamChannel(http2, path, { isHttp2: true, framing })),
			wrap(new ServerStreamChannel(http1, path, { isHttp2: false, framing })),
		);
	const unified: Record<UnifiedStream, () => ChannelChooser> = {
		auto: () => withTools(WITH_TOOLS, (channel) => channel),
		idempotent: () => withTools(`${WITH_TOOLS}Idempotent`, (channel) => new IdempotentChannel(channel, options)),
		plain: () => serverStream(CHAT, (channel) => new PlainChatChannel(channel)),
	};
	return {
		agent: agentDriver(
			chooser(new H2DuplexChannel(http2, RUN), new SseAppendChannel(http1, `${RUN}SSE`)),
			counterFor("agent"),
		),
		unified: unifiedDriver({
			channels: unified[unifiedStream](),
			takesTools: unifiedStream !== "plain",
			countUnknown: counterFor("unified"),
		}),
		legacy: legacyDriver(
			serverStream(LEGACY, (channel) => channel),
			counterFor("legacy"),
		),
	};
}
