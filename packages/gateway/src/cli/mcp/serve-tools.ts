import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { asStarted } from "../../text/as-started.ts";
import { packageVersion } from "../../version.ts";
import { describeFailure } from "../process/failure.ts";
import { type ReadGateway, TOOLS, type Tool } from "./tools.ts";

const INSTRUCTIONS =
	"Tells what is used and what is left of the Cursor subscription behind the Cursorwire gateway. Nothing here changes anything.";

/** Serves the tools on standard input and output until the input ends or the signal aborts. */
export async function serveTools(read: ReadGateway, signal: AbortSignal): Promise<void> {
	const { stdin } = process;
	const ended = new Promise<void>((resolve) => {
		for (const event of ["end", "close"]) stdin.once(event, resolve);
		signal.addEventListener("abort", () => resolve());
	});
	const server = serveStdio(() => makeServer(read), {
		onerror: (error) => console.error(`cursorwire mcp: ${error.message}`),
	});
	await ended;
	await server.close();
	// A pipe that is still open would keep the process alive.
	stdin.destroy();
}

function makeServer(read: ReadGateway): McpServer {
	const info = { name: "cursorwire", title: "Cursorwire", version: packageVersion() };
	const server = new McpServer(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
	for (const [name, { title, description, input, run }] of Object.entries(TOOLS)) {
		const annotations = {
			title,
			readOnlyHint: true,
			destructiveHint: false,
			idempotentHint: true,
			openWorldHint: false,
		};
		server.registerTool(name, { title, description, inputSchema: input, annotations }, (given) =>
			answer(run, read, given as Record<string, unknown>),
		);
	}
	return server;
}

/** A tool that fails says why; the model can tell its user, and the server goes on. */
async function answer(run: Tool["run"], read: ReadGateway, input: Record<string, unknown>) {
	try {
		const { text, data } = await run(read, input);
		return { content: [{ type: "text" as const, text }], structuredContent: { ...data } };
	} catch (error) {
		return { content: [{ type: "text" as const, text: asStarted(describeFailure(error).line) }], isError: true };
	}
}
