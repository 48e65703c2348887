import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import type { Client, Target } from "../../src/connect/client.ts";
import { vscode, vscodeInsiders } from "../../src/connect/clients/vscode.ts";
import type { Json } from "../../src/connect/edit.ts";
import { parseSettings } from "../../src/connect/formats/format.ts";
import { listGatewayModels } from "../../src/connect/gateway-client.ts";
import { planConnect, planDisconnect } from "../../src/connect/plan.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { TARGET } from "./target.ts";
import { VSCODE_SCHEMA } from "./vscode-schema.ts";

const CORPUS = fileURLToPath(new URL("./corpus/", import.meta.url));
const FILES: [name: string, text: string | undefined][] = [
	["no file", undefined],
	...["vscode", "vscode-insiders"].flatMap((client) =>
		readdirSync(`${CORPUS}${client}`).map(
			(name) => [`${client}/${name}`, readFileSync(`${CORPUS}${client}/${name}`, "utf8")] as [string, string],
		),
	),
];
const FILE = "chatLanguageModels.json";
/** How VS Code names a key that was entered in its interface. */
const SECRET = ["$", "{input:chat.lm.secret.-1f}"].join("");
// Schemas of VS Code have words of its own, for its editor.
const validate = new Ajv({ allErrors: true, strict: false }).compile(VSCODE_SCHEMA);

function violations(value: Json): string[] {
	validate(value);
	return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

interface Group {
	name: string;
	vendor: string;
	apiKey?: string;
	settings?: object;
	models: {
		id: string;
		url: string;
		maxInputTokens: number;
		maxOutputTokens: number;
		supportsReasoningEffort?: string[];
		requestHeaders: Record<string, string>;
	}[];
}

const value = (text: string): Json => parseSettings("json-list", text, FILE);
const ours = (text: string): Group[] => (value(text) as unknown as Group[]).filter(({ name }) => name === "Cursorwire");
const connect = (before: string | undefined, target: Target = TARGET, present = before) =>
	planConnect(vscode, FILE, before, target, true, present);
/** What VS Code does with the file when somebody chooses an effort, and enters a key, in its interface. */
const changedInInterface = (text: string): string => {
	const groups = (value(text) as unknown as Group[]).map((group) =>
		group.name === "Cursorwire" ? { ...group, apiKey: SECRET, settings: { auto: { reasoningEffort: "low" } } } : group,
	);
	return JSON.stringify(groups, undefined, "\t");
};

describe("VS Code's chatLanguageModels.json", () => {
	it.each(FILES)("is what VS Code accepts: %s", (_, before) => {
		const { after } = connect(before);
		expect(violations(value(after))).toEqual([]);
		expect(ours(after)).toHaveLength(1);
	});

	it("has the models of a real gateway, with windows, efforts and a key that it takes", async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" } });
		const address = { url: gateway.url, key: gateway.key };
		const models = await listGatewayModels(address, AbortSignal.timeout(30_000));
		const { after } = connect(undefined, { ...address, model: "auto", models });
		expect(violations(value(after))).toEqual([]);
		const listed = ours(after)[0]!.models;
		expect(listed.map(({ id }) => id)).toEqual(models.map(({ id }) => id));
		for (const [index, { maxInputTokens, maxOutputTokens }] of listed.entries()) {
			expect(maxInputTokens + maxOutputTokens).toBe(models[index]!.contextWindow);
		}
		expect(listed.find(({ id }) => id === "gpt-5.4")!.supportsReasoningEffort).toEqual([
			"low",
			"medium",
			"high",
			"xhigh",
		]);
		const { id, url, requestHeaders } = listed.find((model) => model.id === "composer-1")!;
		const body = JSON.stringify({ model: id, messages: [{ role: "user", content: "hello" }] });
		// Versions before 1.12x send a bearer token as well, which is empty where no secret was entered.
		for (const more of [[], [["authorization", "Bearer "]]]) {
			const headers = { "content-type": "application/json", ...requestHeaders, ...Object.fromEntries(more) };
			expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
		}
	});

	it("is refreshed in its place, with what VS Code added to it", () => {
		const before = FILES.find(([name]) => name === "vscode/crlf-trailing-commas.json")![1]!;
		const first = connect(before);
		const present = changedInInterface(first.after);
		const undone = planDisconnect(first.connection, present);
		expect(undone.kept).toEqual([]);
		const newer = { ...TARGET, models: TARGET.models.slice(0, 1) };
		const second = connect(undone.after, newer, present);
		expect(ours(second.after)).toEqual([
			expect.objectContaining({
				apiKey: SECRET,
				settings: { auto: { reasoningEffort: "low" } },
				models: [expect.objectContaining({ id: "auto" })],
			}),
		]);
		expect(violations(value(second.after))).toEqual([]);
		expect(value(planDisconnect(second.connection, second.after).after!)).toEqual(value(before));
	});

	it("loses only our group, when VS Code has changed the group", () => {
		for (const [, before] of FILES) {
			const { after, connection } = connect(before);
			const back = planDisconnect(connection, changedInInterface(after));
			expect(back.kept).toEqual([]);
			expect(back.after === undefined ? [] : value(back.after)).toEqual(before === undefined ? [] : value(before));
		}
	});

	it.each<[client: Client, platform: NodeJS.Platform, variables: Record<string, string>, folder: string]>([
		[vscode, "linux", {}, "/home/ada/.config/Code/User"],
		[vscode, "linux", { XDG_CONFIG_HOME: "/xdg" }, "/xdg/Code/User"],
		[vscode, "darwin", {}, "/home/ada/Library/Application Support/Code/User"],
		[vscode, "win32", { APPDATA: "/roaming" }, "/roaming/Code/User"],
		[vscodeInsiders, "linux", {}, "/home/ada/.config/Code - Insiders/User"],
		[vscodeInsiders, "darwin", {}, "/home/ada/Library/Application Support/Code - Insiders/User"],
		[vscodeInsiders, "win32", {}, "/home/ada/AppData/Roaming/Code - Insiders/User"],
	])("is where VS Code looks for it: %#", (client, platform, variables, folder) => {
		const places = { home: "/home/ada", platform, variable: (name: string) => variables[name] ?? "" };
		expect(client.files(places).map((file) => file.replaceAll("\\", "/"))).toEqual([`${folder}/${FILE}`]);
	});
});
