import type { Plugin } from "@opencode-ai/plugin";
import { GatewayKeeper } from "./gateway.ts";
import { auth } from "./login.ts";
import { type GatewayModel, toOpencodeModels } from "./models.ts";
import { type GatewayUsage, UsageNotices } from "./usage.ts";

const PROVIDER = "cursor";
/** Commands without a full-screen interface, in which a line on stderr is visible and disturbs nothing. */
const PLAIN_COMMANDS = ["run", "models", "serve"];

/** One gateway for all projects that this OpenCode has open. */
let shared: GatewayKeeper | undefined;

/**
 * Cursor's models as a provider of OpenCode, through the Cursorwire gateway. The options `url` and `key` name a gateway
 * elsewhere; without them the gateway on this machine is used, or started.
 */
const plugin: Plugin = async ({ client }, options = {}) => {
	const { url, key } = options;
	const fixed =
		typeof url === "string" ? { url: url.replace(/\/(v1\/?)?$/, ""), key: String(key ?? "none") } : undefined;
	shared ??= new GatewayKeeper(fixed);
	const keeper = shared;

	const report = (message: string) => {
		if (PLAIN_COMMANDS.some((command) => process.argv.includes(command))) console.error(`cursorwire: ${message}`);
		// Not awaited, because OpenCode responds to neither before all of its plugins are loaded.
		client.app.log({ body: { service: "cursorwire", level: "error", message } }).catch(() => {});
		client.tui.showToast({ body: { title: "Cursor", message, variant: "error" } }).catch(() => {});
	};

	const notices = new UsageNotices();
	/** Without an answer there is nothing to tell: usage is no reason to disturb a session. */
	const tellUsage = async () => {
		const response = await keeper.fetch("/v1/usage").catch(() => undefined);
		if (!response?.ok) return;
		const notice = notices.next((await response.json()) as GatewayUsage);
		if (!notice) return;
		const { text: message, isUrgent } = notice;
		if (PLAIN_COMMANDS.some((command) => process.argv.includes(command))) console.error(`cursorwire: ${message}`);
		await client.tui.showToast({ body: { title: "Cursor", message, variant: isUrgent ? "warning" : "info" } });
	};
	/** Sessions whose last question went to Cursor. */
	const asked = new Set<string>();

	return {
		auth,
		async event({ event }) {
			if (event.type === "session.idle" && asked.delete(event.properties.sessionID)) await tellUsage().catch(() => {});
		},
		async config(config) {
			const own = config.provider?.[PROVIDER];
			config.provider = {
				...config.provider,
				[PROVIDER]: {
					name: "Cursor",
					npm: "@ai-sdk/openai-compatible",
					...own,
					options: {
						// The gateway's real address is looked up for every request.
						baseURL: "http://cursorwire.local/v1",
						fetch: (input: string | URL | Request, init?: RequestInit) =>
							keeper.fetch(new URL(input instanceof Request ? input.url : input).pathname, init).catch(refusal),
						...own?.options,
					},
					models: { ...(await liveModels(keeper, report)), ...own?.models },
				},
			};
		},
		async "chat.headers"({ sessionID, model }, output) {
			if (model.providerID !== PROVIDER) return;
			output.headers["x-session-id"] = sessionID;
			asked.add(sessionID);
		},
		async "chat.params"({ model }, output) {
			// OpenCode would cut replies at a limit that it assumes; the model has its own.
			if (model.providerID === PROVIDER) output.maxOutputTokens = undefined;
		},
	};
};

export default plugin;

/**
 * What OpenCode shows when the gateway cannot be reached or started: a sentence. A thrown error it would try again and
 * again, and show with its stack. Whoever has stopped the request sees no answer anyway.
 */
function refusal(error: unknown): Response {
	const { name, message } = error as Error;
	if (name === "AbortError") throw error;
	return Response.json({ error: { message, type: "invalid_request_error", code: "no_gateway" } }, { status: 400 });
}

/** Empty if the models cannot be fetched: OpenCode continues with its other providers, and the reason is reported. */
async function liveModels(keeper: GatewayKeeper, report: (message: string) => void) {
	try {
		const response = await keeper.fetch("/v1/models");
		const body = (await response.json()) as { data: GatewayModel[]; error?: { message: string } };
		if (response.ok) return toOpencodeModels(body.data);
		// 403 means that the gateway is not signed in, 401 that its key is wrong.
		const next = response.status === 403 ? " In OpenCode: run `opencode auth login` and choose cursor." : "";
		report(`${body.error?.message ?? `The gateway answers ${response.status}.`}${next}`);
	} catch (error) {
		report((error as Error).message);
	}
	return {};
}
