/** Examples of each command: the line, and what it does. */
export const EXAMPLES: Readonly<Record<string, readonly (readonly [line: string, about: string])[]>> = {
	cursorwire: [
		["cursorwire demo", "try it without an account"],
		["cursorwire login", "sign in to Cursor"],
		["cursorwire serve", "run the gateway"],
		["cursorwire connect opencode", "set up a client"],
		["cursorwire doctor", "find out what is wrong"],
	],
	demo: [
		["cursorwire demo", "gateway and emulator, on port 4280"],
		["cursorwire demo --busy", "with some clients at work, to look at"],
		["cursorwire demo --port 0 --json", "on any free port, printed as JSON"],
	],
	serve: [
		["cursorwire serve", "on http://127.0.0.1:4280"],
		["cursorwire serve --port 0 --json", "on any free port, printed as JSON"],
		["cursorwire serve --http1", "for networks that do not carry HTTP/2"],
	],
	connect: [
		["cursorwire connect", "list the clients"],
		["cursorwire connect codex", "show the change, ask, write it"],
		["cursorwire connect claude-code -m auto --yes", "with this model, without asking"],
		["cursorwire connect opencode --no-default", "add it, keep the client's own model"],
		["cursorwire connect sdk", "print programs for the SDKs"],
	],
	disconnect: [
		["cursorwire disconnect codex", "restore its settings"],
		["cursorwire disconnect --all --yes", "all clients, without asking"],
	],
	mcp: [
		["cursorwire mcp", "what to name in an agent's list of MCP servers"],
		["cursorwire mcp --url http://10.0.0.5:4280", "for a gateway elsewhere, with CURSORWIRE_KEY"],
	],
	launch: [
		["cursorwire launch", "list the clients, and which are installed"],
		["cursorwire launch claude", "Claude Code, until you leave it"],
		['cursorwire launch codex --limit "20 turns"', "stops it after twenty turns"],
		['cursorwire launch claude -- -p "Say hello"', "with words for the client"],
		["cursorwire launch -- node agent.mjs", "any command, with the usual variables"],
	],
	env: [
		['eval "$(cursorwire env claude)"', "the client then started in this shell uses the gateway"],
		["cursorwire env --shell fish", "the usual variables, for fish"],
	],
	login: [
		["cursorwire login", "with the browser"],
		["cursorwire login --api-key", "with an API key, which it asks for"],
		["cursorwire login --import", "with the login of Cursor's CLI or editor"],
	],
	logout: [["cursorwire logout", "forget the stored login"]],
	status: [
		["cursorwire status", "whether you are signed in, and where"],
		["cursorwire status --json", "for scripts; exit code 3 when signed out"],
	],
	models: [
		["cursorwire models", "what your account can use"],
		["cursorwire models --refresh --json", "ask Cursor now, with all details"],
	],
	usage: [
		["cursorwire usage", "both pools, and today's use of this gateway"],
		["cursorwire usage --json", "for scripts"],
		["cursorwire usage --since 7d", "what was served each day"],
		["cursorwire usage --since 30d --csv > turns.csv", "every turn, for a spreadsheet"],
	],
	ask: [
		['cursorwire ask "What is a monad?"', "one question, answered in the terminal"],
		['cursorwire ask -m auto --thinking "Why?"', "with the model's thinking"],
		['cursorwire ask "Summarise this" < notes.txt', "the question, then the text of a file"],
	],
	calibrate: [
		["cursorwire calibrate", "say what it costs, ask, run it"],
		["cursorwire calibrate --dry-run", "only say what it costs"],
		["cursorwire calibrate --only system-prompt", "one question"],
		["cursorwire calibrate --yes --report r.json", "for a report about the server"],
	],
	open: [
		["cursorwire open", "the page of the running gateway, in your browser"],
		["cursorwire open --print", "only its address, for another browser"],
	],
	logs: [
		["cursorwire logs", "the last lines of the running gateway's log"],
		["cursorwire logs -f", "and every new one, until Ctrl-C"],
		["cursorwire logs -f --errors --client codex", "what goes wrong for one client"],
		["cursorwire logs --lines 200 --json", "for scripts"],
	],
	top: [
		["cursorwire top", "what runs now, until q"],
		["cursorwire top --once", "print it once"],
	],
	doctor: [
		["cursorwire doctor", "every check, with next steps"],
		["cursorwire doctor --no-runs", "without asking a model"],
		["cursorwire doctor --report report.json", "a file for a bug report"],
	],
	drift: [
		["cursorwire drift", "what Cursor sends that is unknown here"],
		["cursorwire drift --report drift.json", "a file to attach to an issue"],
	],
	keys: [
		["cursorwire keys", "list them"],
		["cursorwire keys show", "the owner's key, for scripts"],
		["cursorwire keys add laptop --turns 2", "another one, two turns at once"],
		["cursorwire keys add prometheus --metrics-only", "one that can only read metrics"],
		["cursorwire keys revoke laptop", "make it invalid"],
	],
	config: [
		["cursorwire config", "current settings, with their source"],
		["cursorwire config --json", "with a description of each"],
		["cursorwire config --schema", "the JSON schema of config.json, for editors"],
	],
	service: [
		["cursorwire service install", "run it whenever you are logged in"],
		["cursorwire service install --print", "only print its description"],
		["cursorwire service status", "whether it is running"],
		["cursorwire service uninstall", "remove it"],
	],
	emulate: [
		["cursorwire emulate", "on http://127.0.0.1:4290"],
		["cursorwire emulate --fault cut@frame:9", "cut streams, to see what happens"],
	],
	completion: [
		["cursorwire completion install", "for the shell that you use"],
		["cursorwire completion uninstall", "remove it"],
		["cursorwire completion bash", "print the script"],
	],
};

const WIDTH = 46;
const GAP = 2;

/** The examples of a command, in its help and in docs/cli.md, with `mark` before what each of them does. */
export function exampleLines(command: string, mark = ""): string[] {
	const examples = EXAMPLES[command] ?? [];
	const width = Math.max(WIDTH, ...examples.map(([line]) => line.length + GAP));
	return examples.map(([line, about]) => `${line.padEnd(width)}${mark}${about}`);
}
