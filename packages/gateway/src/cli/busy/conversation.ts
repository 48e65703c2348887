/** A call of one of the client's tools. */
interface BusyCall {
	id: string;
	name: string;
}

/** A tool as a scripted client offers it: one text, under the name that is usual for it. */
export interface BusyTool {
	name: string;
	parameter: string;
}

/** What a client says in one API. Everything here is the body of a request or of a response. */
export interface BusyApi {
	path: string;
	/** The first request of a conversation, or the same conversation with one more message. */
	ask(model: string, tools: readonly BusyTool[], prompt: string, before?: Body): Body;
	/** The calls in a response. */
	calls(response: Body): BusyCall[];
	/** The conversation with the reply, and with the results of its calls. */
	goOn(request: Body, response: Body, results: ReadonlyMap<string, string>): Body;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of APIs that the gateway checks
export type Body = Record<string, any>;

export const schemaOf = ({ parameter }: BusyTool) => ({
	type: "object",
	properties: { [parameter]: { type: "string" } },
	required: [parameter],
});
