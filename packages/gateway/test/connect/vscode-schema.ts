// What VS Code accepts in chatLanguageModels.json, as far as it says so itself. No program of VS Code can be had from a
// package registry, so this is written down from its sources (microsoft/vscode, MIT):
// - the list of groups, with `vendor` and `name`: src/vs/workbench/contrib/chat/browser/
//   languageModelsConfigurationService.ts, ChatLanguageModelsDataContribution.updateSchema;
// - what a group of `customendpoint` holds: extensions/copilot/package.json, contributes.languageModelChatProviders, and
//   extensions/copilot/src/extension/byok/vscode-node/customEndpointProvider.ts, CustomEndpointModelConfig;
// - what a header must be: extensions/copilot/src/extension/byok/node/openAIEndpoint.ts, _sanitizeCustomHeaders;
// - the words: code.visualstudio.com/docs/agent-customization/language-models, "Model configuration reference".
// VS Code ignores keys that it does not know. Here they are refused, because ours would have no effect.

/** Of the reserved headers those that somebody might want to set; VS Code drops them without a word. */
const RESERVED = ["authorization", "api-key", "content-type", "cookie", "host", "origin", "user-agent", "x-request-id"];

const API_TYPES = ["chat-completions", "responses", "messages"];

const HEADERS = {
	type: "object",
	maxProperties: 20,
	propertyNames: {
		pattern: "^[!#$%&'*+\\-.0-9A-Z^_`a-z|~]{1,256}$",
		// `authorization` is accepted by newer versions only.
		not: { enum: RESERVED },
	},
	additionalProperties: {
		type: "string",
		maxLength: 8192,
		not: { pattern: "[\\x00-\\x1f\\x7f\\u200b-\\u200d\\ufeff]" },
	},
};

const MODEL = {
	type: "object",
	properties: {
		id: { type: "string", minLength: 1 },
		name: { type: "string", minLength: 1 },
		url: { type: "string", pattern: "^https?://" },
		apiType: { enum: API_TYPES },
		toolCalling: { type: "boolean" },
		vision: { type: "boolean" },
		maxInputTokens: { type: "number", exclusiveMinimum: 0 },
		maxOutputTokens: { type: "number", exclusiveMinimum: 0 },
		contextWindow: { type: "number" },
		editTools: {
			type: "array",
			items: { enum: ["find-replace", "multi-find-replace", "apply-patch", "code-rewrite"] },
		},
		thinking: { type: "boolean" },
		streaming: { type: "boolean" },
		zeroDataRetentionEnabled: { type: "boolean" },
		supportsReasoningEffort: { type: "array", items: { type: "string" } },
		reasoningEffortFormat: { enum: API_TYPES },
		requestHeaders: HEADERS,
		modelOptions: { type: "object" },
	},
	required: ["id", "name", "url", "toolCalling", "vision", "maxInputTokens", "maxOutputTokens"],
	additionalProperties: false,
};

const CUSTOM_ENDPOINT = {
	properties: {
		vendor: true,
		name: true,
		// Always the name of a secret, which only the interface can make; a key itself is ignored.
		apiKey: { type: "string", pattern: "^\\$\\{input:.+\\}$" },
		apiType: { enum: API_TYPES },
		url: { type: "string" },
		models: { type: "array", items: MODEL },
		settings: { type: "object" },
	},
	additionalProperties: false,
};

export const VSCODE_SCHEMA = {
	type: "array",
	items: {
		type: "object",
		properties: { vendor: { type: "string" }, name: { type: "string" } },
		required: ["vendor", "name"],
		// biome-ignore lint/suspicious/noThenProperty: a word of JSON schema
		allOf: [{ if: { properties: { vendor: { const: "customendpoint" } } }, then: CUSTOM_ENDPOINT }],
	},
};
