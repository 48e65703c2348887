import type { SocketForm } from "../dialect.ts";
import { invalid } from "../shared/invalid.ts";

const CREATE = "response.create";

/** Responses over a WebSocket: each message `response.create` has the fields of a body, and the reply is streamed. */
export const responsesSocket: SocketForm = {
	bodyOf(message) {
		const { type, ...body } = (typeof message === "object" && message !== null ? message : {}) as { type?: unknown };
		if (type !== CREATE) throw invalid("type", `must be ${CREATE}: there are no other messages`);
		return { ...body, stream: true };
	},
	errorMessage: ({ status, headers, body }) => ({ type: "error", status, ...body, headers }),
};
