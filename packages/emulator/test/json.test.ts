import { connect } from "node:http2";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../src/index.ts";
import { callOver } from "./kit/call-over.ts";
import { useEmulators } from "./kit/emulators.ts";
import { accessToken } from "./kit/run-client.ts";

const start = useEmulators();

interface Frame {
	flags: number;
	// biome-ignore lint/suspicious/noExplicitAny: plain JSON of the wire
	json: any;
}

const REQUEST = {
	runRequest: {
		conversationState: {},
		action: { userMessageAction: { userMessage: { text: "grüß Gott 😀" }, requestContext: {} } },
		mcpTools: {},
		conversationId: "c",
		requestedModel: { modelId: "composer-1" },
	},
};

/** A run in JSON, by node's own HTTP/2 client. */
function runInJson(emulator: Emulator, token: string, request: object): Promise<{ frames: Frame[]; type: unknown }> {
	return new Promise((resolve, reject) => {
		const session = connect(emulator.url);
		const stream = session.request({
			":method": "POST",
			":path": "/agent.v1.AgentService/Run",
			"content-type": "application/connect+json",
			authorization: `Bearer ${token}`,
		});
		const frames: Frame[] = [];
		let rest = Buffer.alloc(0);
		let type: unknown;
		stream.on("response", (headers) => {
			type = headers["content-type"];
		});
		stream.on("data", (chunk: Buffer) => {
			rest = Buffer.concat([rest, chunk]);
			while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
				const end = 5 + rest.readUInt32BE(1);
				const json = JSON.parse(rest.subarray(5, end).toString("utf8"));
				frames.push({ flags: rest[0]!, json });
				rest = rest.subarray(end);
				const { id = 0, setBlobArgs } = json.kvServerMessage ?? {};
				if (setBlobArgs) stream.write(envelope({ kvClientMessage: { id, setBlobResult: {} } }));
			}
		});
		stream.on("error", reject);
		stream.on("end", () => {
			stream.end();
			session.close();
			resolve({ frames, type });
		});
		stream.write(envelope(request));
	});
}

function envelope(message: object): Buffer {
	const payload = Buffer.from(JSON.stringify(message));
	const header = Buffer.alloc(5);
	header.writeUInt32BE(payload.length, 1);
	return Buffer.concat([header, payload]);
}

describe("application/connect+json", () => {
	it("Run takes and gives JSON, in which texts are texts", async () => {
		const emulator = await start({ brain: "echo" });
		const { frames, type } = await runInJson(emulator, await accessToken(emulator), REQUEST);
		expect(type).toBe("application/connect+json");
		const text = frames.map(({ json }) => json.interactionUpdate?.textDelta?.text ?? "").join("");
		expect(text).toBe("grüß Gott 😀");
		expect(frames.some(({ json }) => json.interactionUpdate?.turnEnded)).toBe(true);
		expect(frames.at(-1)).toEqual({ flags: 2, json: {} });
	});

	it("a message that is not one is refused on the stream", async () => {
		const emulator = await start({ brain: "echo" });
		const { frames } = await runInJson(emulator, await accessToken(emulator), { runRequest: 7 });
		expect(frames.at(-1)!.json.error).toMatchObject({
			code: "invalid_argument",
			message: expect.stringContaining("AgentClientMessage"),
		});
	});

	it("RunSSE answers in JSON as well, with appends as ever", async () => {
		const emulator = await start({ brain: "echo" });
		const headers = {
			authorization: `Bearer ${await accessToken(emulator)}`,
			"content-type": "application/connect+json",
		};
		const body = envelope({ requestId: "r1" }).toString("latin1");
		const append = callOver(
			emulator,
			"POST",
			"/aiserver.v1.BidiService/BidiAppend",
			{ requestId: { requestId: "r1" }, data: "0a00" },
			{ ...headers, "content-type": "application/json" },
		);
		const answer = await callOver(emulator, "POST", "/agent.v1.AgentService/RunSSE", body, headers);
		expect((await append).status).toBe(200);
		expect(answer.headers["content-type"]).toBe("application/connect+json");
		expect(answer.body).toContain("conversation_state is required");
	});

	it("unary calls take application/json, and a stream of the older chats does not", async () => {
		const emulator = await start();
		const headers = { authorization: `Bearer ${await accessToken(emulator)}` };
		const unary = await callOver(
			emulator,
			"POST",
			"/agent.v1.AgentService/GetUsableModels",
			{},
			{
				...headers,
				"content-type": "application/json",
			},
		);
		expect(JSON.parse(unary.body).models.length).toBeGreaterThan(3);
		const chat = await callOver(emulator, "POST", "/aiserver.v1.ChatService/StreamUnifiedChat", "", {
			...headers,
			"content-type": "application/connect+json",
		});
		expect(chat.status).toBe(415);
	});
});
