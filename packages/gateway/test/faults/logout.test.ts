// K9: `cursorwire logout` while a gateway runs. Nothing goes on with the login that was given up.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import { LOOK, obedient } from "../kit/hostile/brain.ts";
import { say } from "../kit/hostile/rig.ts";
import { startProgram, temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";

it("K9: a logout ends runs that wait for tools, and the next request is told", async () => {
	const emulator = await startEmulator({ brain: obedient });
	onTestFinished(() => emulator.close());
	const dataDir = temporaryFolder();
	const env = {
		CURSORWIRE_UPSTREAM: emulator.url,
		CURSORWIRE_DATA_DIR: dataDir,
		CURSORWIRE_VAULT: "file",
		HOME: dataDir,
	};
	const login = startProgram(["login", "--api-key"], env);
	login.child.stdin!.end("key_canary_of_the_login\n");
	expect(await login.ended).toMatchObject({ code: 0 });
	const running = await serve({
		upstream: emulator.url,
		dataDir,
		env: { CURSOR_API_KEY: "", CURSORWIRE_VAULT: "file", HOME: dataDir },
	});
	const parked = await running.ask(say("look here", { tools: [LOOK], stream: false }));
	expect(parked.status).toBe(200);
	const { message } = ((await parked.json()) as { choices: [{ message: { tool_calls: [{ id: string }] } }] })
		.choices[0];
	// Somebody else's credential is not what is given up.
	const guest = await running.ask(say("look there", { tools: [LOOK], stream: false }), {
		headers: { authorization: "Bearer key_of_a_guest", "content-type": "application/json" },
	});
	const guests = guest.status === 200 ? 1 : 0;
	expect(emulator.stats().streams.open).toBe(1 + guests);

	const { code } = await startProgram(["logout"], env).ended;
	expect(code).toBe(0);
	await until(() => emulator.stats().streams.open === guests);
	const result = { role: "tool", tool_call_id: message.tool_calls[0].id, content: "tree" };
	const request = say("look here", { tools: [LOOK], stream: false });
	const answer = await running.ask({ ...request, messages: [...request.messages, message, result] });
	expect(answer.status).toBe(403);
	expect(await answer.json()).toMatchObject({ error: { code: "signed_out" } });

	running.program.child.kill("SIGTERM");
	const { out, err } = await running.program.ended;
	expect(out + err).not.toContain("canary_of_the_login");
	for (const path of readdirSync(dataDir, { recursive: true, encoding: "utf8" })) {
		const file = join(dataDir, path);
		if (statSync(file).isFile()) expect(readFileSync(file).includes("canary_of_the_login"), path).toBe(false);
	}
});
