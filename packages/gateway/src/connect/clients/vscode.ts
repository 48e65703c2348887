import { join } from "node:path";
import type { Places } from "../../config/places.ts";
import { type Client, configFolder, splitWindow, type Target, type TargetModel } from "../client.ts";
import type { Json } from "../edit.ts";

/** The group of models as VS Code shows it. */
const GROUP = "Cursorwire";

/** The models of VS Code's own chat, as its provider Custom Endpoint takes them (1.122 and newer). */
const inFolder = (name: string, product: string): Client => ({
	name,
	format: "json-list",
	api: "chat",
	files: (places) => [join(userFolder(places, product), "chatLanguageModels.json")],
	provider: (target) => [
		{
			op: "insert",
			path: [],
			value: {
				name: GROUP,
				vendor: "customendpoint",
				apiType: "chat-completions",
				models: target.models.map((model) => entry(target, model)),
			},
			by: ["vendor", "name"],
			// VS Code adds the efforts that were chosen, and the name of a secret that was entered.
			volatile: ["settings", "apiKey"],
		},
	],
	// VS Code chooses models in its interface.
	selection: () => [],
	notes: ({ model }) => [
		`VS Code chooses models in its interface: in Chat's model picker take ${model} from ${GROUP}. Where nobody is signed in to GitHub, Chat is off until you open "Chat: Manage Language Models" (in the command palette) once; that also shows models that the picker leaves out.`,
		"VS Code takes no key from this file: only its interface can make a secret (Manage Language Models, Cursorwire, Update API Key). So the key is a header of each model, which works without that.",
		'Without a GitHub login set "chat.utilityModel" and "chat.utilitySmallModel" to one of these models, or titles and commit messages are missing.',
	],
});

export const vscode = inFolder("VS Code", "Code");
export const vscodeInsiders = inFolder("VS Code Insiders", "Code - Insiders");

function entry({ url, key }: Target, { id, name, contextWindow, thinking, images, efforts = [] }: TargetModel): Json {
	const { input, output } = splitWindow(contextWindow);
	return {
		id,
		name,
		url: `${url}/v1/chat/completions`,
		toolCalling: true,
		vision: images,
		thinking,
		maxInputTokens: input,
		maxOutputTokens: output,
		...(efforts.length > 0 && { supportsReasoningEffort: [...efforts], reasoningEffortFormat: "chat-completions" }),
		// The one header for a key that no version ignores (ADR 58).
		requestHeaders: { "x-api-key": key },
	};
}

function userFolder(places: Places, product: string): string {
	const { home, platform, variable } = places;
	if (platform === "win32") return join(variable("APPDATA") || join(home, "AppData", "Roaming"), product, "User");
	if (platform === "darwin") return join(home, "Library", "Application Support", product, "User");
	return join(configFolder(places), product, "User");
}
