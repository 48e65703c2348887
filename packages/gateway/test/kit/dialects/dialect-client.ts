// A client of any API: it sends neutral requests in the API's words and reads the stream itself.
import type { ErrorKind } from "../../../src/turn/error-kinds.ts";
import type { TurnEvent } from "../../../src/turn/event.ts";
import type { TurnMessage, TurnRequest } from "../../../src/turn/request.ts";
import type { TestGateway } from "../gateway.ts";
import type { Response as TurnResponse } from "../upstream.ts";
import { ReplyReader } from "./reply-reader.ts";
import { eventsOf } from "./sse.ts";

export type Asked = Partial<TurnRequest> & { messages: readonly TurnMessage[] };

export interface DialectClient {
	name: string;
	path: string;
	/** Whether the API tells the tokens of thinking apart from other output. */
	countsReasoning: boolean;
	/** A request in the words of the API, streamed. */
	body(request: Asked): object;
	/** Takes the data of each event of one answer. */
	reader(answer: ReplyReader): (data: string) => void;
	/** The error of a body that is not an answer. */
	errorOf(body: unknown): { kind: ErrorKind; message: string };
}

/** Sends a conversation and reads the answer to its end, or until the client leaves. */
export async function askIn(
	client: DialectClient,
	gateway: TestGateway,
	request: Asked,
	onEvent: (event: TurnEvent) => void = () => {},
	signal?: AbortSignal,
): Promise<TurnResponse & { headers: Headers | undefined; done: boolean }> {
	const answer = new ReplyReader(onEvent);
	let headers: Headers | undefined;
	try {
		const response = await gateway.post(client.path, client.body(request), { signal });
		headers = response.headers;
		if (response.ok) await readStream(response, client.reader(answer), answer);
		else {
			const { kind, message } = client.errorOf(await response.json());
			answer.fail(kind, message);
		}
	} catch (error) {
		if (!signal?.aborted) throw error;
	}
	return { ...answer.result(), headers };
}

async function readStream(response: Response, read: (data: string) => void, answer: ReplyReader): Promise<void> {
	for await (const { data } of eventsOf(response)) read(data);
	answer.close();
}

/** An image as a data URL. */
export function dataUrl({ mediaType, data }: { mediaType: string; data: Uint8Array }): string {
	return `data:${mediaType};base64,${Buffer.from(data).toString("base64")}`;
}
