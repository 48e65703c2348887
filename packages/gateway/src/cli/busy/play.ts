import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { makeKey } from "../../access/keys.ts";
import type { PassingKey } from "../../access/passing-keys.ts";
import type { Body } from "./conversation.ts";
import { type BusyScript, SCRIPTS } from "./scripts.ts";

/** How long a person reads or types, and how long a tool runs; each time another value in between. */
export interface BusyPace {
	pauseMs: readonly [number, number];
	toolMs: readonly [number, number];
}

const QUIET: BusyPace = { pauseMs: [1_500, 6_000], toolMs: [800, 4_000] };

/** After so many steps a reply with calls is left alone. */
const MOST_STEPS = 6;

/** Plays clients at a running gateway, one request at a time each, until `signal` says that it is enough. */
export class BusyClients {
	/** Each client's own. */
	readonly keys: readonly PassingKey[] = SCRIPTS.map(({ name }) => ({ name, key: makeKey(randomBytes) }));
	readonly #pace: BusyPace;

	constructor(pace: BusyPace = QUIET) {
		this.#pace = pace;
	}

	async play(url: string, signal: AbortSignal): Promise<void> {
		await Promise.all(SCRIPTS.map((script, index) => this.#playOne(script, url, this.keys[index]!.key, signal)));
	}

	async #playOne(script: BusyScript, url: string, key: string, signal: AbortSignal): Promise<void> {
		const headers = {
			authorization: `Bearer ${key}`,
			"content-type": "application/json",
			"user-agent": script.userAgent,
		};
		const send = async (body: Body): Promise<Body | undefined> => {
			const init = { method: "POST", headers, body: JSON.stringify(body), signal };
			const response = await fetch(`${url}${script.api.path}`, init).catch(() => undefined);
			const content = (await response?.json().catch(() => undefined)) as Body | undefined;
			return response?.ok ? content : undefined;
		};
		while (!signal.aborted) {
			for (const { model, prompts } of script.conversations) await this.#converse(script, model, prompts, send, signal);
		}
	}

	async #converse(
		{ api, tools }: BusyScript,
		model: string,
		prompts: readonly string[],
		send: (body: Body) => Promise<Body | undefined>,
		signal: AbortSignal,
	): Promise<void> {
		let before: Body | undefined;
		for (const prompt of prompts) {
			await pause(this.#pace.pauseMs, signal);
			let request: Body = api.ask(model, tools, prompt, before);
			for (let step = 0; step < MOST_STEPS && !signal.aborted; step++) {
				const response = await send(request);
				// A turn that failed or was stopped ends the conversation, as it does for most people.
				if (!response) return;
				const calls = api.calls(response);
				if (calls.length > 0) await pause(this.#pace.toolMs, signal);
				request = api.goOn(
					request,
					response,
					new Map(calls.map(({ id, name }) => [id, `${name} found what it looked for.`])),
				);
				if (calls.length === 0) break;
			}
			before = request;
		}
	}
}

async function pause([least, most]: readonly [number, number], signal: AbortSignal): Promise<void> {
	await sleep(least + Math.random() * (most - least), undefined, { signal }).catch(() => {});
}
