// The agents as npm delivers them. Each is pinned, and where a package only picks the binary of the system, the
// binary's own package is taken: no install script has to run, and nothing is fetched twice.

export interface AgentPackage {
	/** What npm is asked for. */
	spec: string;
	/** The program inside the installed folder. */
	program: string;
	/** A script for Node in this major version or newer; undefined for a binary of its own. */
	node?: number;
	/** A folder inside the installed one that has dependencies of its own, which an install script would fetch. */
	inner?: string;
}

const { platform, arch } = process;
const WINDOWS = platform === "win32" ? "windows" : platform;
const EXE = platform === "win32" ? ".exe" : "";

const RUST_TARGETS: Record<string, string> = {
	"linux-x64": "x86_64-unknown-linux-musl",
	"linux-arm64": "aarch64-unknown-linux-musl",
	"darwin-x64": "x86_64-apple-darwin",
	"darwin-arm64": "aarch64-apple-darwin",
	"win32-x64": "x86_64-pc-windows-msvc",
	"win32-arm64": "aarch64-pc-windows-msvc",
};

export const PACKAGES = {
	opencode: {
		spec: `opencode-${WINDOWS}-${arch}@1.18.33`,
		program: `opencode-${WINDOWS}-${arch}/bin/opencode${EXE}`,
	},
	codex: {
		spec: `@openai/codex@0.166.0-${platform}-${arch}`,
		program: `@openai/codex/vendor/${RUST_TARGETS[`${platform}-${arch}`]}/bin/codex${EXE}`,
	},
	claudeCode: {
		spec: `@anthropic-ai/claude-code-${platform}-${arch}@2.1.325`,
		program: `@anthropic-ai/claude-code-${platform}-${arch}/claude${EXE}`,
	},
	cline: {
		spec: `@cline/cli-${WINDOWS}-${arch}@3.0.65`,
		program: `@cline/cli-${WINDOWS}-${arch}/bin/cline${EXE}`,
	},
	continue: { spec: "@continuedev/cli@1.5.47", program: "@continuedev/cli/dist/cn.js", node: 20 },
	qwen: { spec: "@qwen-code/qwen-code@0.24.4", program: "@qwen-code/qwen-code/cli-entry.js", node: 22 },
	// Newer ones run on Node 22 alone, and need packages that not every registry has.
	pi: { spec: "@mariozechner/pi-coding-agent@0.73.1", program: "@mariozechner/pi-coding-agent/dist/cli.js", node: 20 },
	kilo: {
		spec: `@kilocode/cli-${WINDOWS}-${arch}@7.7.7`,
		program: `@kilocode/cli-${WINDOWS}-${arch}/bin/kilo${EXE}`,
	},
	goose: {
		spec: `@aaif/goose-binary-${platform}-${arch}@1.52.0`,
		program: `@aaif/goose-binary-${platform}-${arch}/bin/goose${EXE}`,
	},
	copilot: {
		spec: `@github/copilot-${platform}-${arch}@1.0.102`,
		program: `@github/copilot-${platform}-${arch}/copilot${EXE}`,
	},
	// VS Code itself, with its Chat, as a server for browsers: the only way in which a package registry has it.
	vscode: {
		spec: "code-server@4.139.1",
		program: "code-server/lib/vscode/out/server-main.js",
		node: 24,
		inner: "code-server/lib/vscode",
	},
} satisfies Record<string, AgentPackage>;

/** Where this Node is too old for an agent: `node` itself needs an install script, these are what it would fetch. */
export const NODE_PACKAGE: AgentPackage = {
	spec: `${nodePackageName()}@24.21.0`,
	program: `${nodePackageName()}/bin/node${EXE}`,
};

function nodePackageName(): string {
	const prefix = platform === "darwin" && arch === "arm64" ? "node-bin" : "node";
	return `${prefix}-${platform === "win32" ? "win" : platform}-${arch}`;
}
