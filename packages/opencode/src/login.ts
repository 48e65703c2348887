import type { AuthHook } from "@opencode-ai/plugin";
import { startProgram } from "./program.ts";

/** What OpenCode stores for a login. The gateway keeps and renews the login itself. */
const REMEMBERED = { type: "success", key: "kept-by-cursorwire" } as const;

/** The two methods of `opencode auth login`. Both store the login in the gateway's vault. */
export const auth: AuthHook = {
	provider: "cursor",
	methods: [
		{
			type: "oauth",
			label: "Cursor account (browser)",
			async authorize() {
				// OpenCode opens the page, or shows its address.
				const program = startProgram(["login", "--json", "--no-browser"]);
				const { url } = await program.nextLine();
				return {
					url: String(url),
					instructions: "Approve the login on Cursor's page.",
					method: "auto",
					callback: () => outcome(program.ended),
				};
			},
		},
		{
			type: "oauth",
			label: "Cursor API key",
			prompts: [
				{
					type: "text",
					key: "apiKey",
					message: "Cursor API key (Dashboard, Integrations, User API Keys)",
					placeholder: "crsr_…",
					validate: (text) => (text.trim() === "" ? "Required" : undefined),
				},
			],
			async authorize(inputs) {
				const program = startProgram(["login", "--json", "--api-key"], `${inputs?.apiKey ?? ""}\n`);
				return {
					url: "",
					instructions: "Cursor is asked whether it takes the key.",
					method: "auto",
					callback: () => outcome(program.ended),
				};
			},
		},
	],
};

/** OpenCode shows the errors that are thrown here. */
async function outcome(ended: Promise<void>): Promise<typeof REMEMBERED> {
	await ended;
	return REMEMBERED;
}
