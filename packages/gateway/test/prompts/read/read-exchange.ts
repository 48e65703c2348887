import type { ClientRequest, Exchange } from "../client-request.ts";
import { readChat } from "./chat.ts";
import { readMessages } from "./messages.ts";
import { readResponses } from "./responses.ts";

const READERS: Record<string, (body: Exchange["body"], earlier: readonly Exchange[]) => ClientRequest> = {
	"/v1/chat/completions": readChat,
	"/v1/responses": readResponses,
	"/v1/messages": readMessages,
};

/** The requests that the model was asked with, in order. */
export function readExchanges(exchanges: readonly Exchange[]): ClientRequest[] {
	const asked = exchanges.filter(({ path, status }) => path in READERS && status === 200);
	return asked.map(({ path, body }, index) => READERS[path]!(body, asked.slice(0, index)));
}
