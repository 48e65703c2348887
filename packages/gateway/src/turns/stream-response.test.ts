import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../test/kit/manual-clock.ts";
import type { ReplyOutlet } from "../server/reply-outlet.ts";
import { GatewayError } from "../turn/error.ts";
import { DEFAULT_STREAM_LIMITS } from "./stream-limits.ts";
import { StreamResponse } from "./stream-response.ts";

/** A response, and an owner who notes what happens in which order. */
function setUp(tellsClientFirst: boolean) {
	const seen: string[] = [];
	const response = Object.assign(new EventEmitter(), {
		writeHead: () => response,
		end: (text: string) => void seen.push(text),
	});
	const stream = new StreamResponse({
		response: response as unknown as ReplyOutlet,
		clock: new ManualClock(),
		limits: DEFAULT_STREAM_LIMITS,
		encoder: { encode: () => "all of it", encodeError: () => "an error" },
		headers: () => ({}),
		refuse: () => seen.push("refused"),
		tellsClientFirst,
		ended: ({ error, cancelled }) => seen.push(error?.kind ?? (cancelled ? "cancelled" : "row")),
	});
	const end = () => stream.events([{ type: "turn-end", reason: "stop" }]);
	return { seen, stream, end, response };
}

describe("the row of a turn", () => {
	it("is written before the client is told of the end", () => {
		const { seen, end } = setUp(false);
		end();
		expect(seen).toEqual(["row", "all of it"]);
	});

	it("follows where it would wait for others anyway, once, whatever the client does then", () => {
		const { seen, end, stream, response } = setUp(true);
		end();
		end();
		stream.failed(new GatewayError("internal"));
		response.emit("close");
		expect(seen).toEqual(["all of it", "row"]);
	});

	it("says that the client left, where it left before the end", () => {
		const { seen, end, response } = setUp(true);
		response.emit("close");
		end();
		expect(seen).toEqual(["cancelled"]);
	});
});
