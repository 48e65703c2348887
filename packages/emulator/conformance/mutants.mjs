// Mistakes of the emulator that a conformance case has to notice. `npm run conformance:mutants` makes them one by one.
//
//   mistake    what is then wrong with the emulator
//   file       of the emulator; `find` occurs in it exactly once and is replaced by `replace`
//   case       the case that has to fail
//   transport  the transport of that case; h2c by default
const AGENT = "packages/emulator/src/agent";
const PLAYER = `${AGENT}/playing/player.ts`;
const TOOL_PLAYER = `${AGENT}/playing/tool-player.ts`;
const RUN = `${AGENT}/run.ts`;
const CHECKPOINT = `${AGENT}/state/checkpoint.ts`;
const DASHBOARD = "packages/emulator/src/services/dashboard.ts";

export const MUTANTS = [
	{
		mistake: "no heartbeats while the model is busy",
		file: RUN,
		find: `setInterval(() => link.update({ case: "heartbeat", value: {} }), backend.heartbeatMs)`,
		replace: "setInterval(() => {}, backend.heartbeatMs)",
		case: "frames",
	},
	{
		mistake: "no heartbeat at the start",
		file: RUN,
		find: `	link.update({ case: "heartbeat", value: {} });\n`,
		replace: "",
		case: "frames",
	},
	{
		mistake: "no partial_tool_call",
		file: TOOL_PLAYER,
		find: `if (order !== "started-only") {`,
		replace: "if (order === undefined) {",
		case: "frames",
	},
	{
		mistake: "only the first piece of the arguments",
		file: TOOL_PLAYER,
		find: "for (const piece of inPieces(Buffer.from(argsText), ARGUMENT_PIECES)) {",
		replace: "for (const piece of [...inPieces(Buffer.from(argsText), ARGUMENT_PIECES)].slice(0, 2)) {",
		case: "frames",
	},
	{
		mistake: "no token_delta",
		file: PLAYER,
		find: "if (isTold && tokens > 0) link.update",
		replace: "if (!isTold && tokens > 0) link.update",
		case: "frames",
	},
	{
		mistake: "token_delta counts one too few",
		file: PLAYER,
		find: `link.update({ case: "tokenDelta", value: { tokens } })`,
		replace: `link.update({ case: "tokenDelta", value: { tokens: tokens - 1 } })`,
		case: "frames",
	},
	{
		mistake: "no step_completed",
		file: PLAYER,
		find: `		this.#parts.link.update({ case: "stepCompleted", value: { stepId, stepDurationMs: 0n } });\n`,
		replace: "",
		case: "frames",
	},
	{
		mistake: "every step is the first",
		file: PLAYER,
		find: "const stepId = BigInt(++this.#step);",
		replace: "const stepId = BigInt(1 + 0 * this.#step);",
		case: "frames",
	},
	{
		mistake: "tool_requests_listed + 7",
		file: TOOL_PLAYER,
		find: `{ case: "toolRequestsListed", value: { callCount } }`,
		replace: `{ case: "toolRequestsListed", value: { callCount: callCount + 7 } }`,
		case: "frames",
	},
	{
		mistake: "no thinking_completed",
		file: PLAYER,
		find: `		this.#parts.link.update({ case: "thinkingCompleted", value: { thinkingDurationMs } });\n`,
		replace: "",
		case: "frames",
	},
	{
		mistake: "calls of one step have one id",
		file: TOOL_PLAYER,
		find: `const plainId = \`call_\${randomBytes(12).toString("hex")}\`;`,
		replace: `const plainId = "call_1";`,
		case: "frames",
	},
	{
		mistake: "used_tokens 0",
		file: CHECKPOINT,
		find: "usedTokens: input.usedTokens,",
		replace: "usedTokens: 0,",
		case: "frames",
	},
	{
		mistake: "turns emptied",
		file: CHECKPOINT,
		find: "state.turns = [...(input.unfinished ? before.turns.slice(0, -1) : before.turns), turnId];",
		replace: "state.turns = [];",
		case: "frames",
	},
	{
		mistake: "only the newest turn is kept",
		file: CHECKPOINT,
		find: "state.turns = [...(input.unfinished ? before.turns.slice(0, -1) : before.turns), turnId];",
		replace: "state.turns = [turnId];",
		case: "frames",
	},
	{
		mistake: "a turn without the id of its request",
		file: CHECKPOINT,
		find: "				requestId: input.requestId,\n",
		replace: "",
		case: "frames",
	},
	{
		mistake: "a turn without its steps",
		file: CHECKPOINT,
		find: "steps: [...(input.unfinished?.steps ?? []), ...steps],",
		replace: "steps: [...(input.unfinished?.steps ?? []), ...steps.slice(1)],",
		case: "frames",
	},
	{
		mistake: "a checkpoint names blobs that the client was never given",
		file: `${AGENT}/stream/blobs.ts`,
		find: "if (this.#known.has(hex(id))) return id;",
		replace: "if (this.#known.has(hex(id)) || data.length < 100) return id;",
		case: "frames",
	},
	{
		mistake: "blobs are not named by their hash",
		file: `${AGENT}/stream/blobs.ts`,
		find: `return createHash("sha256").update(data).digest();`,
		replace: `return createHash("sha256").update(data).update("salt").digest();`,
		case: "frames",
	},
	{
		mistake: "every blob is set each time",
		file: `${AGENT}/stream/blobs.ts`,
		find: "if (this.#known.has(hex(id))) return id;",
		replace: "",
		case: "frames",
	},
	{
		mistake: "no last checkpoint",
		file: RUN,
		find: `if (when !== "before-turn-ended") await checkpoint();`,
		replace: "",
		case: "frames",
	},
	{
		mistake: "no checkpoint before turn_ended",
		file: RUN,
		find: `if (when !== "after-turn-ended") await checkpoint();`,
		replace: "",
		case: "frames",
	},
	{
		mistake: "no checkpoint after a step",
		file: PLAYER,
		find: "		await this.#parts.checkpoint();\n",
		replace: "",
		case: "frames",
	},
	{
		mistake: "turn_ended without the tokens of the reply",
		file: RUN,
		find: "outputTokens: count(usage.outputTokens, total?.outputTokens),",
		replace: "outputTokens: count(usage.outputTokens, 0),",
		case: "frames",
	},
	{
		mistake: "messages are never compressed",
		file: "packages/emulator/src/rpc/response-stream.ts",
		find: "else if (payload.length >= this.#gzipFrom) this.frame(FLAG.compressed, gzipSync(payload), isHeartbeat);",
		replace: "",
		case: "frames",
		transport: "gzip",
	},
	{
		mistake: "privacy mode always: training allowed",
		file: DASHBOARD,
		find: "return { privacyMode: PRIVACY_MODES[account.privacyMode] };",
		replace: "return { privacyMode: PRIVACY_MODES.codebase };",
		case: "privacy",
	},
	{
		mistake: "privacy mode always: no storage",
		file: DASHBOARD,
		find: "return { privacyMode: PRIVACY_MODES[account.privacyMode] };",
		replace: `return { privacyMode: PRIVACY_MODES["no-storage"] };`,
		case: "privacy",
	},
	{
		mistake: "no turn_ended",
		file: RUN,
		find: "	link.update(ended());\n",
		replace: "	ended();\n",
		case: "text",
	},
];
