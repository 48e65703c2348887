import { randomUUID } from "node:crypto";
import type { AdmittedCaller } from "../access/caller.ts";
import type { TurnGate } from "../access/turn-gate.ts";
import { chatCall } from "../dialects/chat/call.ts";
import { completionsCall } from "../dialects/completions/call.ts";
import { countTokens, messagesCall } from "../dialects/messages/call.ts";
import { responsesCall } from "../dialects/responses/call.ts";
import type { Problem } from "../observe/problem.ts";
import { noEmbeddings } from "../routes/embeddings.ts";
import { headerWishes } from "../routes/header-wishes.ts";
import { anthropicModel, anthropicModels, openaiModel, openaiModels } from "../routes/models.ts";
import type { StoredResponses } from "../routes/stored-responses.ts";
import { speaksAnthropic } from "../server/error-form.ts";
import { sendLargeJson } from "../server/send-json.ts";
import type { Handler, Route } from "../server/server.ts";
import type { Store } from "../store/store.ts";
import { GatewayError } from "../turn/error.ts";
import type { TurnCall, TurnService } from "../turns/turn-service.ts";
import type { CursorAccount } from "../upstream/account/cursor-account.ts";

export interface ApiParts {
	version: string;
	turns: TurnService;
	gate: TurnGate;
	responses: StoredResponses;
	storeKind(): Store["kind"];
	/** What is not as it should be. */
	problems(): readonly Problem[];
	accountOf(caller: AdmittedCaller): Promise<CursorAccount> | CursorAccount;
	isClosing(): boolean;
}

type TurnRoute = Pick<Route<AdmittedCaller>, "enter" | "handler">;
type Requested = Parameters<Handler<AdmittedCaller>>[0];

const ids = { newId: randomUUID, now: Date.now };

/** Everything the gateway answers. */
export function apiRoutes(parts: ApiParts): Route<AdmittedCaller>[] {
	const enterTurn = (caller: AdmittedCaller) => {
		if (parts.isClosing()) throw new GatewayError("shutting-down");
		const leave = parts.gate.enter(caller);
		if (leave instanceof GatewayError) throw leave;
		return leave;
	};
	const turn = (read: (requested: Requested) => TurnCall | Promise<TurnCall>): TurnRoute => ({
		enter: enterTurn,
		handler: async (requested) => {
			const { caller, request, response } = requested;
			// It may have begun to stop while the body came.
			if (parts.isClosing()) throw new GatewayError("shutting-down");
			const wishes = headerWishes(request.raw.headers);
			const call = await read(requested);
			const turn = { ...wishes, ...call.turn };
			const asker = { caller: caller.id, account: await parts.accountOf(caller) };
			await parts.turns.serve({ ...call, turn }, asker, response);
		},
	});
	const json = (answer: (requested: Requested) => object | Promise<object>): Handler<AdmittedCaller> => {
		return async (requested) => sendLargeJson(requested.response, {}, await answer(requested));
	};

	const chat = turn(({ body }) => chatCall(body, ids));
	const completions = turn(({ body }) => completionsCall(body, ids));
	const messages = turn(({ body, requestId, request }) =>
		messagesCall(body, { ...ids, requestId, betas: request.raw.headers["anthropic-beta"]?.toString() }),
	);
	const responses = turn(async ({ caller, body }) =>
		responsesCall(body, {
			...ids,
			resolve: await parts.responses.resolverFor(caller.id, body),
			keep: (record) => parts.responses.keep(caller.id, record),
		}),
	);
	const models = json(async ({ caller, request }) => {
		const account = await parts.accountOf(caller);
		return speaksAnthropic(request.raw) ? anthropicModels(account, queryOf(request)) : openaiModels(account);
	});
	const model = json(async ({ caller, request }) => {
		const account = await parts.accountOf(caller);
		return (speaksAnthropic(request.raw) ? anthropicModel : openaiModel)(account, param(request, "*"));
	});
	const noWebSocket: Handler<AdmittedCaller> = () => {
		throw new GatewayError("no-websocket");
	};

	const routes: Route<AdmittedCaller>[] = [
		{
			method: "GET",
			path: "/healthz",
			handler: json(() => {
				// Anyone may ask, so why it is degraded (a path, perhaps) stands in the log alone.
				const degraded = [...new Set(parts.problems().map(({ name }) => name))];
				const status = degraded.length > 0 ? "degraded" : "ok";
				return { status, version: parts.version, store: parts.storeKind(), ...(degraded.length > 0 && { degraded }) };
			}),
		},
		// For `doctor`. A caller learns of the account that its own requests run on.
		{
			method: "GET",
			path: "/v1/cursorwire/status",
			handler: json(async ({ caller }) => ({
				version: parts.version,
				upstream: (await parts.accountOf(caller)).health(),
			})),
		},
		// Claude Code asks at its start whether anybody is there.
		{ method: "HEAD", path: "/api/hello", handler: json(() => ({})) },
	];
	// Some clients add /v1 to the base URL they are given, and some do not.
	for (const prefix of ["/v1", ""]) {
		const stored = `${prefix}/responses/:id`;
		routes.push(
			{ method: "POST", path: `${prefix}/chat/completions`, ...chat },
			{ method: "POST", path: `${prefix}/completions`, ...completions },
			{ method: "POST", path: `${prefix}/embeddings`, handler: noEmbeddings },
			{ method: "POST", path: `${prefix}/messages`, ...messages },
			{ method: "POST", path: `${prefix}/messages/count_tokens`, handler: json(({ body }) => countTokens(body)) },
			{ method: "POST", path: `${prefix}/responses`, ...responses },
			// A client that finds no WebSocket here falls back at once.
			{ method: "GET", path: `${prefix}/responses`, handler: noWebSocket },
			{
				method: "GET",
				path: stored,
				handler: json(({ caller, request }) => parts.responses.get(caller.id, param(request, "id"))),
			},
			{
				method: "DELETE",
				path: stored,
				handler: json(({ caller, request }) => parts.responses.delete(caller.id, param(request, "id"))),
			},
			{
				method: "POST",
				path: `${stored}/cancel`,
				handler: json(({ caller, request }) => parts.responses.cancel(caller.id, param(request, "id"))),
			},
			{
				method: "GET",
				path: `${stored}/input_items`,
				handler: json(({ caller, request }) =>
					parts.responses.inputItems(caller.id, param(request, "id"), queryOf(request)),
				),
			},
			{ method: "GET", path: `${prefix}/models`, handler: models },
			{ method: "GET", path: `${prefix}/models/*`, handler: model },
		);
	}
	return routes;
}

function param(request: Requested["request"], name: string): string {
	return (request.params as Record<string, string>)[name] ?? "";
}

/** The query as texts; of a name that is given twice the last counts. */
function queryOf(request: Requested["request"]): Record<string, string | undefined> {
	return Object.fromEntries(new URLSearchParams(request.raw.url?.split("?")[1] ?? ""));
}
