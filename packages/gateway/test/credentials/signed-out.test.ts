// Why there is no login, told apart: by `status`, by `doctor`, and by the gateway in each dialect.
import { type Emulator, startEmulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { sessionTokenCredential } from "../../src/credentials/credential.ts";
import { closing } from "../kit/cleanup.ts";
import { freshPair, openRigOn, type Rig, sessionOf } from "../kit/credentials/rig.ts";
import { runProgram } from "../kit/program.ts";
import { serve } from "../kit/served.ts";
import { temporaryFolder } from "./folder.ts";

const DAY = 86_400_000;
const REQUESTS: Record<string, object> = {
	"/v1/chat/completions": { model: "auto", messages: [{ role: "user", content: "Hello" }] },
	"/v1/responses": { model: "auto", input: "Hello" },
	"/v1/messages": { model: "auto", max_tokens: 100, messages: [{ role: "user", content: "Hello" }] },
};

interface Case {
	store(rig: Rig): Promise<void>;
	message: RegExp;
	nextStep: RegExp;
}

const CASES: Record<string, Case> = {
	"no login is stored": {
		store: async () => {},
		message: /You are not signed in to Cursor: no login is stored\./,
		nextStep: /Run `cursorwire login`\./,
	},
	"the login has expired and cannot be renewed": {
		store: async ({ keeper, client, emulator }) => {
			const { accessToken } = await freshPair(emulator);
			const credential = sessionTokenCredential(client.origin, accessToken, Date.now());
			const past = Date.now() - DAY;
			await keeper.save({ ...credential, access: { ...credential.access, expiresAt: past, renewAt: past } });
		},
		message: /The session token expired on \d{4}-\d\d-\d\d, and session tokens cannot be renewed\./,
		nextStep: /Run `cursorwire login`, or paste a new one with `cursorwire login --session-token`\./,
	},
	"Cursor has revoked the login": {
		store: async (rig) => {
			await rig.keeper.save(await sessionOf(rig, "good"));
			rig.emulator.expireTokens();
			rig.emulator.set("refresh=none");
		},
		message: /Cursor has revoked the login: it accepts neither its token nor a renewal\./,
		nextStep: /Run `cursorwire login` to sign in again\./,
	},
};

async function machine({ store }: Case): Promise<{ emulator: Emulator; env: Record<string, string> }> {
	const emulator = closing(await startEmulator({ brain: "echo" }));
	const rig = await openRigOn(emulator, { dataDir: temporaryFolder() });
	await store(rig);
	const env = {
		HOME: temporaryFolder(),
		CURSORWIRE_DATA_DIR: rig.dataDir,
		CURSOR_BACKEND_URL: emulator.url,
		CURSORWIRE_VAULT: "file",
		CURSOR_API_KEY: "",
	};
	return { emulator, env };
}

describe.each(Object.entries(CASES))("%s", (_, wanted) => {
	const both = new RegExp(`${wanted.message.source}.*${wanted.nextStep.source}`);

	it("is what `status` and `doctor` say, with the next step", async () => {
		const { env } = await machine(wanted);
		const status = await runProgram(["status"], env);
		expect(status).toMatchObject({ code: 3, out: expect.stringMatching(both) });
		expect(status.out).toMatch(/^Signed out of/);
		const { out } = await runProgram(["doctor"], env);
		expect(out).toMatch(wanted.message);
		expect(out).toMatch(wanted.nextStep);
	});

	it("is what a client of each dialect is told", async () => {
		const { emulator, env } = await machine(wanted);
		const { url, key } = await serve({ upstream: emulator.url, dataDir: env.CURSORWIRE_DATA_DIR!, env });
		for (const [path, body] of Object.entries(REQUESTS)) {
			const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
			const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
			expect(response.status).toBe(403);
			const { error } = (await response.json()) as { error: { type: string; message: string } };
			expect(error.type).toBe("permission_error");
			expect(error.message).toMatch(both);
		}
	});
});
