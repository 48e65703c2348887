import type { Clock } from "../../time/clock.ts";
import type { Channel } from "./channel.ts";

const REMEMBERED_MS = 3_600_000;

export interface ChannelChoices {
	duplex: Channel;
	sse: Channel;
	/** Use HTTP/1.1 without trying HTTP/2. */
	forceHttp1: boolean;
	clock: Clock;
}

/** Chooses the channel that carries a run. Remembers for an hour that the network does not carry HTTP/2 to a host. */
export class ChannelChooser {
	readonly #choices: ChannelChoices;
	readonly #http1Until = new Map<string, number>();

	constructor(choices: ChannelChoices) {
		this.#choices = choices;
	}

	/** `serverWants` comes from GetServerConfig and takes precedence over what was remembered. */
	choose(origin: URL, serverWants?: "http1" | "http2"): Channel {
		const { duplex, sse, forceHttp1, clock } = this.#choices;
		if (forceHttp1 || serverWants === "http1") return sse;
		const remembered = this.#http1Until.size > 0 && (this.#http1Until.get(origin.origin) ?? 0) > clock.now();
		return remembered && serverWants !== "http2" ? sse : duplex;
	}

	/** Records that HTTP/2 does not get through to this host. */
	fallBack(origin: URL): Channel {
		this.#http1Until.set(origin.origin, this.#choices.clock.now() + REMEMBERED_MS);
		return this.#choices.sse;
	}
}
