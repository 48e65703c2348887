// The plugin as OpenCode calls it, with real sockets in place of the gateway.
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { PluginInput } from "@opencode-ai/plugin";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";

beforeEach(() => vi.resetModules());

async function serve(listener: RequestListener) {
	const server = createServer(listener);
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	onTestFinished(close);
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** The plugin with a gateway at this address, and what it shows. */
async function open(url: string) {
	// One gateway is shared by all that a process has opened.
	const { default: plugin } = await import("./index.ts");
	const toasts: { message: string; variant: string }[] = [];
	const client = {
		app: { log: async () => {} },
		tui: { showToast: async ({ body }: { body: (typeof toasts)[number] }) => void toasts.push(body) },
	};
	const hooks = await plugin({ client } as unknown as PluginInput, { url, key: "cw_key" });
	const config: { provider?: Record<string, { models: object; options: { fetch: typeof fetch } }> } = {};
	await hooks.config!(config as never);
	const provider = config.provider!.cursor!;
	const turn = async (sessionID: string) => {
		await hooks["chat.headers"]!({ sessionID, model: { providerID: "cursor" } } as never, { headers: {} });
		await hooks.event!({ event: { type: "session.idle", properties: { sessionID } } } as never);
	};
	return { provider, toasts, turn, hooks };
}

const json =
	(value: object, status = 200): RequestListener =>
	(_, response) =>
		void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

it("answers with a sentence, and not with an error, when the gateway has gone", async () => {
	const { url, close } = await serve(json({ data: [] }));
	const { provider } = await open(url);
	close();
	const response = await provider.options.fetch("http://cursorwire.local/v1/chat/completions", { method: "POST" });
	expect(response.status).toBe(400);
	expect(await response.json()).toMatchObject({ error: { code: "no_gateway", message: expect.stringMatching(/\w+/) } });
});

it("lets a request that was stopped be stopped", async () => {
	const { url } = await serve((request, response) => {
		if (request.url === "/v1/models") json({ data: [] })(request, response);
	});
	const { provider } = await open(url);
	const stop = new AbortController();
	const asked = provider.options.fetch("http://cursorwire.local/v1/chat/completions", { signal: stop.signal });
	stop.abort();
	await expect(asked).rejects.toMatchObject({ name: "AbortError" });
});

it("shows why there are no models, and how to sign in", async () => {
	const message = "You are not signed in to Cursor. Run `cursorwire login`.";
	const { url } = await serve(json({ error: { message } }, 403));
	const { provider, toasts } = await open(url);
	expect(provider.models).toEqual({});
	expect(toasts).toEqual([
		{
			title: "Cursor",
			message: expect.stringContaining(`${message} In OpenCode: run \`opencode auth login\``),
			variant: "error",
		},
	]);
});

it("tells after a reply of Cursor what is used up, and of others nothing", async () => {
	let percent = 20;
	const { url } = await serve((request, response) =>
		json(
			request.url === "/v1/usage"
				? { pools: [{ name: "auto", used_percent: percent, resets_at: null }] }
				: { data: [] },
		)(request, response),
	);
	const { toasts, turn, hooks } = await open(url);
	await turn("ses_1");
	expect(toasts).toEqual([]);
	percent = 97;
	await hooks.event!({ event: { type: "session.idle", properties: { sessionID: "ses_other" } } } as never);
	expect(toasts).toEqual([]);
	await turn("ses_1");
	await turn("ses_1");
	expect(toasts).toEqual([
		{ title: "Cursor", message: "97% of the included usage for Auto and Composer is used.", variant: "warning" },
	]);
});
