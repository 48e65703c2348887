import type { Target } from "../../src/connect/client.ts";

/** A gateway to connect clients to. */
export const TARGET: Target = {
	url: "http://127.0.0.1:4280",
	key: "cw_0123456789",
	model: "auto",
	webSockets: true,
	models: [
		{ id: "auto", name: "Auto", contextWindow: 200_000, thinking: false, images: true },
		{ id: "claude-4.6-opus", name: "Opus 4.6", contextWindow: 200_000, thinking: true, images: true },
		{ id: "grok-code", name: "Grok Code", contextWindow: 256_000, thinking: false, images: false },
	],
};
