import { GatewayError } from "../turn/error.ts";
import type { Client, TargetModel } from "./client.ts";

/** A gateway, and the key to call it with. */
export interface GatewayAddress {
	/** Without `/v1`. */
	url: string;
	key: string;
}

const PROMPT = "Reply with the word ok.";
const LIST_LIMIT_MS = 30_000;
/** Cursor's cold start takes seconds, a busy model longer. */
const CALL_LIMIT_MS = 120_000;
/** Clients need a number; this is the window of Cursor's smallest models. */
const UNKNOWN_CONTEXT = 128_000;

/** The smallest request of each API that gets a reply, and where the reply's text is. */
const CALLS: Readonly<Record<Client["api"], { path: string; body(model: string): object; text(body: never): string }>> =
	{
		chat: {
			path: "/v1/chat/completions",
			body: (model) => ({ model, messages: [{ role: "user", content: PROMPT }] }),
			text: ({ choices }: { choices: { message: { content: string } }[] }) => choices[0]!.message.content,
		},
		responses: {
			path: "/v1/responses",
			body: (model) => ({ model, input: PROMPT, store: false }),
			text: ({ output }: { output: { type: string; content?: { text?: string }[] }[] }) =>
				output.flatMap(({ content }) => content?.map(({ text }) => text ?? "") ?? []).join(""),
		},
		messages: {
			path: "/v1/messages",
			body: (model) => ({ model, max_tokens: 64, messages: [{ role: "user", content: PROMPT }] }),
			text: ({ content }: { content: { text?: string }[] }) => content.map(({ text }) => text ?? "").join(""),
		},
	};

/** The models that the gateway offers. */
export async function listGatewayModels(gateway: GatewayAddress, signal: AbortSignal): Promise<TargetModel[]> {
	const { data } = (await call(gateway, "/v1/models", undefined, LIST_LIMIT_MS, signal)) as { data: ListedModel[] };
	return data.map(({ id, name, context_window, capabilities, parameters }) => ({
		id,
		name: name ?? id,
		contextWindow: context_window ?? UNKNOWN_CONTEXT,
		thinking: capabilities?.thinking ?? false,
		images: capabilities?.images ?? false,
		efforts: (parameters ?? []).flatMap(({ id, values }) => (EFFORT_PARAMETERS.includes(id) ? values : [])),
	}));
}

/** The state of one of Cursor's hosts, as a running gateway sees it. */
export interface UpstreamStatus {
	host: string;
	state: "closed" | "open" | "half-open";
	/** In a row. */
	failures: number;
	lastFailure?: string;
	retryInSeconds?: number;
}

/** Undefined: the gateway's version does not report it. */
export async function upstreamStatus(
	gateway: GatewayAddress,
	signal: AbortSignal,
): Promise<UpstreamStatus[] | undefined> {
	try {
		const status = await call(gateway, "/v1/cursorwire/status", undefined, LIST_LIMIT_MS, signal);
		return (status as { upstream: UpstreamStatus[] }).upstream;
	} catch (error) {
		if (error instanceof GatewayRefusal && error.status === 404) return undefined;
		throw error;
	}
}

interface ListedModel {
	id: string;
	name?: string;
	context_window?: number | null;
	capabilities?: { thinking?: boolean; images?: boolean };
	parameters?: { id: string; values: string[] }[];
}

/** Parameters of Cursor's models that set an effort. A model has one of them. */
const EFFORT_PARAMETERS = ["reasoning", "effort"];

/** One real turn, through the API that the client speaks. Resolves to what the model said. */
export async function tryGateway(
	gateway: GatewayAddress,
	api: Client["api"],
	model: string,
	signal: AbortSignal,
): Promise<string> {
	const { path, body, text } = CALLS[api];
	return text((await call(gateway, path, body(model), CALL_LIMIT_MS, signal)) as never);
}

async function call(
	{ url, key }: GatewayAddress,
	path: string,
	body: object | undefined,
	limitMs: number,
	signal: AbortSignal,
): Promise<unknown> {
	const response = await fetch(`${url}${path}`, {
		method: body ? "POST" : "GET",
		headers: {
			authorization: `Bearer ${key}`,
			"user-agent": "cursorwire",
			...(body && { "content-type": "application/json" }),
		},
		body: body && JSON.stringify(body),
		signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
	}).catch((cause) => {
		throw signal.aborted ? new GatewayError("cancelled") : new GatewayUnreachable(url, cause);
	});
	const content = await response.json().catch(() => undefined);
	if (response.ok && content !== undefined) return content;
	throw new GatewayRefusal(url, response.status, (content as { error?: { message?: string } })?.error?.message);
}

export class GatewayUnreachable extends Error {
	constructor(url: string, cause: unknown) {
		super(`the gateway at ${url} does not respond`, { cause });
	}
}

/** The gateway responded with an error. Its message includes the next step. */
export class GatewayRefusal extends Error {
	readonly status: number;

	constructor(url: string, status: number, message: string | undefined) {
		super(message ?? `${url} responded with status ${status}, which no Cursorwire gateway does`);
		this.status = status;
	}
}
