// A WebSocket is no way around what a key may spend.
import { expect, it } from "vitest";
import { limitedKey } from "../guard/books.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";
import { openRawWebSocket } from "../kit/raw-web-socket.ts";

it("turns on a WebSocket count for the limits of their key", async () => {
	const dataDir = temporaryFolder();
	const { key } = await limitedKey({ dataDir }, "1 turn");
	const gateway = await startTestGateway({ settings: { dataDir } });
	const socket = await openRawWebSocket(gateway.url, "/v1/responses", { authorization: `Bearer ${key}` });
	const ask = { type: "response.create", model: "composer-1", input: "hi", store: false };
	socket.json(ask);
	await socket.until("response.completed");
	socket.json(ask);
	expect(await socket.message()).toMatchObject({
		...{ type: "error", status: 402, error: { code: "insufficient_quota" } },
	});
});
