import * as z from "zod";
import { DEFAULT_MODELS, ModelSchema } from "./model-catalog.ts";

const PoolSchema = z.strictObject({
	limitCents: z.number().nonnegative(),
	usedCents: z.number().nonnegative().default(0),
});

const AccountSchema = z.strictObject({
	/** The part of the token's `sub` after `auth0|`. */
	id: z.string().regex(/^user_[A-Za-z0-9]+$/, "must look like user_01ABC"),
	email: z.string().default("demo@example.test"),
	name: z.string().default("Demo User"),
	plan: z.enum(["free", "pro", "pro_plus", "ultra", "team"]).default("pro"),
	apiKeys: z.array(z.string().min(1)).default([]),
	/** Any API key signs in as this account, for demos and for clients with a made-up key. */
	acceptAnyKey: z.boolean().default(false),
	privacyMode: z.enum(["no-storage", "no-training", "usage-data", "codebase"]).default("no-storage"),
	region: z.string().default("us"),
	quota: z
		.strictObject({ auto: PoolSchema, api: PoolSchema })
		// A new object per account, because the used amount counts up.
		.default(() => ({ auto: { limitCents: 50_000, usedCents: 1_240 }, api: { limitCents: 2_000, usedCents: 310 } })),
	cycleEndsInDays: z.number().positive().default(17),
	/** Whether this account may replace the whole system prompt. Most may not. */
	customSystemPrompt: z.boolean().default(false),
	/** Every run fails with this kind of error, for example ERROR_SUSPICIOUS_USAGE_BLOCKED. */
	blocked: z
		.string()
		.regex(/^ERROR_/)
		.optional(),
});

export type Account = z.output<typeof AccountSchema>;

const AccountFileSchema = z.strictObject({
	accounts: z.array(AccountSchema).min(1),
	models: z.array(ModelSchema).min(1).default(DEFAULT_MODELS),
	tokens: z
		.strictObject({
			accessLifeSeconds: z.number().positive().default(3600),
			refreshLifeSeconds: z
				.number()
				.positive()
				.default(60 * 86_400),
			singleUseRefresh: z.boolean().default(false),
		})
		.default({ accessLifeSeconds: 3600, refreshLifeSeconds: 60 * 86_400, singleUseRefresh: false }),
});

export type AccountFile = z.output<typeof AccountFileSchema>;
export type AccountFileInput = z.input<typeof AccountFileSchema>;

/** One user, for any API key, so that the emulator works without any set-up. */
export const DEFAULT_ACCOUNTS: AccountFileInput = {
	accounts: [{ id: "user_01DEMO", acceptAnyKey: true, apiKeys: ["key_demo"] }],
};

/** Reads an account file. Throws one line that says what is wrong and where. */
export function parseAccountFile(input: unknown, origin: string): AccountFile {
	const result = AccountFileSchema.safeParse(input);
	if (result.success) return result.data;
	const issue = result.error.issues[0]!;
	const where = issue.path.length > 0 ? issue.path.join(".") : "top level";
	throw new Error(`${origin}: ${where}: ${issue.message}`);
}
