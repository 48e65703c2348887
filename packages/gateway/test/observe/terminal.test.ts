// `serve` and `demo` in a real terminal: one readable line per turn and per refusal.
import { startEmulator } from "cursorwire-emulator";
import { describe, it, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import { LOOK, obedient } from "../kit/hostile/brain.ts";
import { say } from "../kit/hostile/rig.ts";
import { type Started, temporaryFolder } from "../kit/program.ts";
import { HAS_TERMINAL, startInTerminal } from "../kit/pty.ts";
import { serve } from "../kit/served.ts";

async function upstreamUrl(): Promise<string> {
	const emulator = await startEmulator({ brain: obedient });
	onTestFinished(() => emulator.close());
	return emulator.url;
}

interface Asking {
	url: string;
	key: string;
}

async function send({ url, key }: Asking, body: object, headers: Record<string, string> = {}) {
	const response = await fetch(`${url}/v1/chat/completions`, {
		method: "POST",
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
		body: JSON.stringify(body),
	});
	return (await response.json()) as { choices: { message: { tool_calls: { id: string }[] } }[] };
}

/** A gateway in a terminal, which prints its address and key as a JSON line. */
async function serveInTerminal(flags: string[] = [], env: Record<string, string> = {}): Promise<Asking & Started> {
	const folder = temporaryFolder();
	const args = ["serve", "--port", "0", "--json", "--upstream", await upstreamUrl(), "--data-dir", folder, ...flags];
	const program = startInTerminal(args, { CURSOR_API_KEY: "key_test", ...env });
	const [line] = await program.prints(/\{"url".*\}/);
	return { ...(JSON.parse(line) as Asking), ...program };
}

const TIME = String.raw`\d\d:\d\d:\d\d`;

describe.skipIf(!HAS_TERMINAL)("in a terminal", () => {
	it("a turn is a readable line, and so are errors and refusals, whatever a client sends", async () => {
		const gateway = await serveInTerminal();
		const client = { "user-agent": "claude-cli/2.0.1 (external, cli)" };
		const asked = say("look here", { tools: [LOOK] });
		const { message } = (await send(gateway, asked, client)).choices[0]!;
		const result = { role: "tool", tool_call_id: message.tool_calls[0]!.id, content: "a house" };
		await send(gateway, { ...asked, messages: [...asked.messages, message, result] }, client);
		const figures = String.raw`\s+[\d,]+ in\s+[\d,]+ out\s+[\d,]+ ms\r?\n`;
		const row = (rung: string) => `${TIME}  claude-cli {4,}composer-1 +${rung}${figures}`;
		await gateway.prints(new RegExp(`${row("new")}${row("parked")}`));
		// An error has its kind and the next step, and a refusal what was refused and why.
		await send(gateway, say("hello", { model: "no-such-model" }));
		await gateway.prints(/no-such-model .* 404 model-not-found {2}Run `.*models` for the list, or ask GET/);
		await send({ ...gateway, key: "cw_wrong0123456789" }, say("hello"));
		await gateway.prints(
			/refused {2}POST \/v1\/chat\/completions {2}401 bad-key {2}The gateway key is missing or wrong\./,
		);
		// No text of a client breaks a line or acts on the terminal.
		await send(gateway, say("hello", { model: "m\u202ex\u2028y" }), { "user-agent": "\u00e9vil\u00a0agent" });
		await gateway.prints(/ m\\u202ex\\u2028y .* 404 model-not-found/);
	});

	it("colours are there without NO_COLOR", async () => {
		const coloured = await serveInTerminal([], { NO_COLOR: "" });
		await send(coloured, say("hello"));
		await coloured.prints(new RegExp(`\\u001b\\[2m${TIME}\\u001b\\[0m  node`));
	});

	it("JSON can be forced", async () => {
		const gateway = await serveInTerminal(["--log-format", "json"]);
		await send(gateway, say("hello"));
		await gateway.prints(/\{"level":30,"time":"[^"]+",.*"msg":"turn"\}/);
	});

	it("`demo` prints the line too", async () => {
		const program = startInTerminal(["demo", "--port", "0", "--json"], { HOME: temporaryFolder() });
		const [line] = await program.prints(/\{"url".*\}/);
		await send(JSON.parse(line), say("hello", { model: "auto" }));
		await program.prints(new RegExp(`${TIME}  node +auto +new`));
	});
});

describe("where it is no terminal", () => {
	it("the log is JSON, and text where that is forced", async () => {
		const forms = {
			auto: /^\{"level":30,.*"msg":"turn"\}$/m,
			text: new RegExp(`^${TIME}  node +composer-1 +new`, "m"),
		};
		for (const [format, line] of Object.entries(forms)) {
			const env = { CURSORWIRE_LOG_FORMAT: format };
			const gateway = await serve({ upstream: await upstreamUrl(), dataDir: temporaryFolder(), env });
			let err = "";
			gateway.program.child.stderr!.on("data", (chunk) => {
				err += chunk;
			});
			await (await gateway.ask(say("hello"))).text();
			await until(() => line.test(err));
		}
	});
});
