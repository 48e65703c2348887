// The product with a model behind it, and all that a client sent through it.
import type { Brain, Emulator } from "cursorwire-emulator";
import type { Setup } from "../clients/client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import type { Exchange } from "./client-request.ts";
import type { Dialect, Said, Talk } from "./dialects.ts";
import type { Way } from "./ways.ts";

export interface PromptRig {
	emulator: Emulator;
	exchanges: Exchange[];
	/** For a library. */
	setup: Setup;
	/** Sends a conversation as it stands, and gives the answer to it and the path that it took. */
	ask(dialect: Dialect, talk: Talk): Promise<{ answer: Extract<Said, { role: "assistant" }>; path: string | null }>;
}

export async function startPromptRig(way: Way, brain: Brain): Promise<PromptRig> {
	const { emulator, url, key } = await startTestGateway({
		emulator: { brain, strict: true },
		settings: way.settings,
	});
	const exchanges: Exchange[] = [];
	const record: typeof fetch = async (input, init) => {
		const response = await fetch(input, init);
		if (typeof init?.body !== "string") return response;
		const { pathname: path } = new URL(input instanceof Request ? input.url : input);
		const exchange = { path, body: JSON.parse(init.body), status: response.status, answer: "" };
		exchanges.push(exchange);
		exchange.answer = await response.clone().text();
		return response;
	};
	return {
		emulator,
		exchanges,
		setup: { url, apiKey: key, model: "composer-1", fetch: record },
		async ask(dialect, talk) {
			const response = await record(url + dialect.path, {
				method: "POST",
				headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
				body: JSON.stringify(dialect.body(talk)),
			});
			const json = await response.json();
			if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(json)}`);
			return { answer: dialect.answer(json), path: response.headers.get("x-cursorwire-path") };
		},
	};
}
