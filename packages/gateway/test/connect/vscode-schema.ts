// What VS Code accepts in chatLanguageModels.json. What a group of its Custom Endpoint holds is VS Code's own schema,
// vscode-custom-endpoint.json: contributes.languageModelChatProviders in the package.json of its extension `copilot`
// (MIT), which `npm run test:clients -- vscode` compares with that of the real program. The rest is written down from
// its sources:
// - the list of groups, with `vendor` and `name`: src/vs/workbench/contrib/chat/browser/
//   languageModelsConfigurationService.ts, ChatLanguageModelsDataContribution.updateSchema;
// - what a header must be: extensions/copilot/src/extension/byok/node/openAIEndpoint.ts, _sanitizeCustomHeaders.
// VS Code ignores keys that it does not know. Here they are refused, because ours would have no effect.
import { readFileSync } from "node:fs";

/** Of VS Code 1.139. */
export const CUSTOM_ENDPOINT = JSON.parse(
	readFileSync(new URL("vscode-custom-endpoint.json", import.meta.url), "utf8"),
);

/** Of the reserved headers those that somebody might want to set; VS Code drops them without a word. */
const RESERVED = ["authorization", "api-key", "content-type", "cookie", "host", "origin", "user-agent", "x-request-id"];

const HEADERS = {
	maxProperties: 20,
	propertyNames: {
		pattern: "^[!#$%&'*+\\-.0-9A-Z^_`a-z|~]{1,256}$",
		// `authorization` is accepted by newer versions only.
		not: { enum: RESERVED },
	},
	additionalProperties: {
		maxLength: 8192,
		not: { pattern: "[\\x00-\\x1f\\x7f\\u200b-\\u200d\\ufeff]" },
	},
};

const { models } = CUSTOM_ENDPOINT.properties;

const STRICTER = {
	properties: {
		vendor: true,
		name: true,
		// Always the name of a secret, which only the interface can make; a key itself is ignored.
		apiKey: { pattern: "^\\$\\{input:.+\\}$" },
		apiType: true,
		models: {
			items: {
				properties: {
					...Object.fromEntries(Object.keys(models.items.properties).map((name) => [name, true])),
					requestHeaders: HEADERS,
				},
				additionalProperties: false,
			},
		},
		/** Efforts that were chosen in the interface. */
		settings: { type: "object" },
	},
	additionalProperties: false,
};

const GROUP = { allOf: [CUSTOM_ENDPOINT, STRICTER] };

export const VSCODE_SCHEMA = {
	type: "array",
	items: {
		type: "object",
		properties: { vendor: { type: "string" }, name: { type: "string" } },
		required: ["vendor", "name"],
		// biome-ignore lint/suspicious/noThenProperty: a word of JSON schema
		allOf: [{ if: { properties: { vendor: { const: "customendpoint" } } }, then: GROUP }],
	},
};
