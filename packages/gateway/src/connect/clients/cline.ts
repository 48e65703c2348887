import { join } from "node:path";
import type { Client } from "../client.ts";

/** Cline's name for OpenAI-compatible servers. */
const KIND = "openai-compatible";

export const cline: Client = {
	name: "Cline",
	format: "json",
	api: "chat",
	files: ({ home, variable }) => [
		join(
			variable("CLINE_DATA_DIR") || join(variable("CLINE_DIR") || join(home, ".cline"), "data"),
			"settings",
			"providers.json",
		),
	],
	fresh: [
		{ op: "set", path: ["version"], value: 1 },
		{ op: "set", path: ["modes"], value: {} },
	],
	provider: ({ url, key, model }) => [
		{
			op: "set",
			path: ["providers", KIND],
			value: {
				settings: { provider: KIND, apiKey: key, model, baseUrl: `${url}/v1` },
				updatedAt: "2026-01-01T00:00:00.000Z",
				tokenSource: "manual",
			},
			// Cline updates the time at every start.
			volatile: ["updatedAt"],
		},
	],
	selection: () => [{ op: "set", path: ["lastUsedProvider"], value: KIND }],
	notes: ({ url, model }) => [
		`These are the settings of the command line. In the extension choose "OpenAI Compatible", ${url}/v1, the key, and ${model}.`,
	],
};
