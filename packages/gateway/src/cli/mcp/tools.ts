import * as z from "zod";
import type { Found } from "./found.ts";
import { limitsText } from "./limits-text.ts";
import { type ListedModels, modelsText } from "./models-text.ts";
import { type StatusAnswer, statusText } from "./status-text.ts";
import { type Span, type Usage, usageText } from "./usage-text.ts";

/** Gets a JSON answer of the running gateway. Rejects with an error that says what to do. */
export type ReadGateway = (path: string) => Promise<unknown>;

/** A tool of `cursorwire mcp`. None of them changes anything. */
export interface Tool {
	title: string;
	description: string;
	input: z.ZodObject;
	run(read: ReadGateway, input: Record<string, unknown>): Promise<Found>;
}

const NOTHING = z.object({});

export const TOOLS: Readonly<Record<string, Tool>> = {
	usage: {
		title: "Usage of the Cursor subscription",
		description:
			"What was used through the Cursorwire gateway today, in the last seven days and in Cursor's billing period: turns, errors and tokens, by model. A key sees its own use; the owner's key sees everybody's.",
		input: z.object({
			span: z.enum(["today", "week", "period"]).optional().describe("one of the three; all of them if left out"),
		}),
		async run(read, { span }) {
			return usageText((await read("/v1/usage")) as Usage, span as Span | undefined);
		},
	},
	limits: {
		title: "What is left",
		description:
			"How much of the account's included usage is used up, by pool, and when it starts anew; and the limits of this key, if it has any. Look here before a long task.",
		input: NOTHING,
		async run(read) {
			return limitsText((await read("/v1/usage")) as Usage);
		},
	},
	models: {
		title: "Models",
		description:
			"The models that can be asked for through the gateway: id, context window in tokens, and whether it thinks and reads images. Variants of a model (efforts, speed) are listed behind it.",
		input: z.object({ search: z.string().optional().describe("only models whose id or name contains this") }),
		async run(read, { search }) {
			return modelsText((await read("/v1/models")) as ListedModels, search as string | undefined);
		},
	},
	status: {
		title: "Is the gateway well?",
		description: "Version and health of the gateway, and whether Cursor's servers can be reached.",
		input: NOTHING,
		async run(read) {
			const [health, status] = await Promise.all([read("/healthz"), read("/v1/cursorwire/status")]);
			return statusText({ ...(health as object), ...(status as object) } as StatusAnswer);
		},
	},
};
