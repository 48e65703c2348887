import type { EmulatorOptions } from "cursorwire-emulator";
import { startTestGateway } from "../kit/gateway.ts";
import type { Setup, TestTool } from "./client.ts";

export const CHANNELS = [
	["HTTP/2", false],
	["HTTP/1.1", true],
] as const;

export const BOTH = [
	["whole", false],
	["streamed", true],
] as const;

/** The product with a model behind it, and what a library sent through it. */
export async function startRig(options: EmulatorOptions, { http1 = false } = {}) {
	const gateway = await startTestGateway({ emulator: options, settings: { http1 } });
	/** The way each answer took; refused requests have none. */
	const paths: string[] = [];
	const bodies: Record<string, unknown>[] = [];
	const setup: Setup = {
		url: gateway.url,
		apiKey: gateway.key,
		model: "composer-1",
		fetch: async (input, init) => {
			if (typeof init?.body === "string") bodies.push(JSON.parse(init.body));
			const response = await fetch(input, init);
			const path = response.headers.get("x-cursorwire-path");
			if (response.ok && path) paths.push(path);
			return response;
		},
	};
	return { gateway, emulator: gateway.emulator, setup, paths, bodies };
}

/** A tool that writes down what it was asked for, and answers with that. */
export function stepTool(): { asked: number[]; tool: TestTool } {
	const asked: number[] = [];
	return {
		asked,
		tool: {
			name: "step",
			description: "Takes a step.",
			parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
			async run({ n }: { n: number }) {
				asked.push(n);
				return `r${n}`;
			},
		},
	};
}
