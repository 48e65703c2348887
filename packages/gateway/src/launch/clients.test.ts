import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/kit/program.ts";
import type { Client, Target } from "../connect/client.ts";
import { parseSettings } from "../connect/formats/format.ts";
import { LAUNCH_CLIENTS, launchClient } from "./clients.ts";
import { connectedSettings } from "./connected-settings.ts";
import { pastProxies, usualVariables } from "./usual-variables.ts";

const model = (id: string, contextWindow = 200_000) => ({ id, name: id, contextWindow, thinking: true, images: true });
const target: Target = {
	url: "http://127.0.0.1:4280",
	key: "cw_secret",
	model: "auto",
	models: [
		model("auto", 150_000),
		model("claude-4-sonnet"),
		model("claude-4.6-sonnet"),
		model("claude-4.6-sonnet-thinking"),
		model("claude-4.6-opus"),
		model("gpt-5.5"),
	],
};
const connectedAt =
	(home: string) =>
	(client: Client): string =>
		connectedSettings(client, target, { home, platform: "linux", variable: () => "" });

describe.each(Object.entries(LAUNCH_CLIENTS))("%s", (_, client) => {
	it("learns the address, the key and the model, and nobody sees the key on its command line", () => {
		const folder = temporaryFolder();
		const extras = client.extras?.(target, { folder, connected: connectedAt(folder) }) ?? {};
		const { args = [], files = {} } = extras;
		const variables = { ...client.variables(target), ...extras.variables };
		const told = JSON.stringify([variables, args, files]);
		for (const part of [target.url, target.key, target.model]) expect(told).toContain(part);
		expect(args.join(" ")).not.toContain(target.key);
		for (const file of Object.keys(files)) expect(file.startsWith(folder)).toBe(true);
		expect(Object.keys({ ...variables })).not.toContain("");
		expect(JSON.stringify(variables)).not.toContain("undefined");
	});
});

describe("Claude Code", () => {
	const variables = (changes: Partial<Target> = {}) => launchClient("claude")!.variables({ ...target, ...changes });

	it("gets the newest model of each tier, and the chosen one where there is none", () => {
		expect(variables()).toMatchObject({
			ANTHROPIC_MODEL: "auto",
			ANTHROPIC_DEFAULT_OPUS_MODEL: "claude-4.6-opus",
			ANTHROPIC_DEFAULT_SONNET_MODEL: "claude-4.6-sonnet",
			ANTHROPIC_DEFAULT_HAIKU_MODEL: "auto",
			CLAUDE_CODE_MAX_CONTEXT_TOKENS: "150000",
		});
	});

	it("keeps [1m], which says how long the context is", () => {
		expect(variables({ model: "claude-4.6-sonnet[1m]" })).toMatchObject({
			ANTHROPIC_MODEL: "claude-4.6-sonnet[1m]",
			CLAUDE_CODE_MAX_CONTEXT_TOKENS: undefined,
		});
	});
});

it("Codex reads arguments that are TOML", () => {
	const { args = [] } = launchClient("codex")!.extras!(target, { folder: "/run", connected: connectedAt("/home") });
	expect(args.filter((_, index) => index % 2 === 0)).toContain("-c");
	const settings = parseSettings("toml", args.filter((_, index) => index % 2 === 1).join("\n"), "arguments");
	expect(settings).toMatchObject({
		model: "auto",
		model_provider: "cursorwire",
		model_providers: { cursorwire: { base_url: `${target.url}/v1`, env_key: "CURSORWIRE_API_KEY" } },
	});
});

it("a client that takes one file gets the user's own, with the gateway at the front", () => {
	const home = temporaryFolder();
	mkdirSync(join(home, ".continue"));
	const own = join(home, ".continue", "config.yaml");
	writeFileSync(own, "name: Mine\nrules:\n  - Be brief. # please\n");
	const { files = {} } = launchClient("continue")!.extras!(target, { folder: "/run", connected: connectedAt(home) });
	const [text] = Object.values(files);
	expect(text).toContain("  - Be brief. # please\n");
	expect(parseSettings("yaml", text!, "made")).toMatchObject({ name: "Mine", models: [{ model: "auto" }] });
});

it("is found by the name that connect has for it, and by no other", () => {
	expect(launchClient("claude-code")).toBe(LAUNCH_CLIENTS.claude);
	for (const name of ["zed", "toString", ""]) expect(launchClient(name)).toBeUndefined();
});

it("past a proxy of the user's go the requests to the gateway", () => {
	const { url } = target;
	expect(pastProxies(url, {})).toEqual({});
	expect(pastProxies(url, { https_proxy: "http://p" })).toMatchObject({ NO_PROXY: "127.0.0.1,localhost" });
	const both = { HTTP_PROXY: "http://p", no_proxy: "corp.example" };
	expect(pastProxies("http://gateway:1", both)).toEqual({
		NO_PROXY: "corp.example,gateway",
		no_proxy: "corp.example,gateway",
	});
	expect(usualVariables(target)).toMatchObject({ OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url });
});
