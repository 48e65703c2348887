import { z } from "zod";

/** What the API has and Chat Completions has not, or has in another form. Everything else is read there. */
export const completionsRequestSchema = z.looseObject({
	prompt: z.union([z.string(), z.array(z.unknown())], { error: "a text" }),
	suffix: z.string().nullish(),
	echo: z.boolean().nullish(),
	best_of: z.int().nullish(),
	logprobs: z.int().nullish(),
});

export type CompletionsRequestBody = z.infer<typeof completionsRequestSchema>;
