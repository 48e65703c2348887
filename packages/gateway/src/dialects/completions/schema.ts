import * as z from "zod";

/** Only the fields that Chat Completions does not have, or has in another form. Its own schema reads the others. */
export const completionsRequestSchema = z.looseObject({
	prompt: z.union([z.string(), z.array(z.unknown())], { error: "a text" }),
	suffix: z.string().nullish(),
	echo: z.boolean().nullish(),
	best_of: z.int().nullish(),
	logprobs: z.int().nullish(),
});

export type CompletionsRequestBody = z.infer<typeof completionsRequestSchema>;
