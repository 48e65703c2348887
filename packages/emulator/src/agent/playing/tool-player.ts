import { randomBytes, randomUUID } from "node:crypto";
import type { McpToolDefinition, ToolCall } from "@cursorwire/protocol/agent";
import type { Backend } from "../../backend.ts";
import type { Call, CallResult, ExecRequest, SearchOutcome, ToolCallPart } from "../../brains/brain.ts";
import type { ExecAnswer } from "../stream/exec-answers.ts";
import type { AgentLink } from "../stream/link.ts";
import { answerText, displayedCall } from "./builtin-call.ts";
import { execMessage } from "./exec-kinds.ts";
import { callResult, keptText, mcpArgs, mcpToolCall } from "./mcp-call.ts";
import type { Transcript } from "./transcript.ts";
import { outcomeOf, searchCall, searchText } from "./web-search.ts";

/** Arguments are shown in so many partial_tool_call updates. */
const ARGUMENT_PIECES = 3;

export interface ToolPlayerParts {
	link: AgentLink;
	backend: Backend;
	transcript: Transcript;
	tools: McpToolDefinition[];
	/** Calls of OpenAI models have ids with a line break and a second id in them. */
	openaiCallIds: boolean;
	/** Sends a checkpoint that names calls which have no result yet. */
	pendingCheckpoint(calls: readonly ToolCallPart[]): Promise<unknown>;
}

interface CallIds {
	callId: string;
	/** Without the second id, as it stands in the transcript. */
	plainId: string;
	modelCallId: string;
}

/**
 * Shows the model's calls to the client, asks for them by exec, and reads the results: docs/protocol.md, Exec requests.
 * The order of the updates is the one that SDK 1.0.32 reads in the conformance case `frames`.
 */
export class ToolPlayer {
	readonly #parts: ToolPlayerParts;

	constructor(parts: ToolPlayerParts) {
		this.#parts = parts;
	}

	/** Calls of the client's tools, all in one step. `onAnnounced` is called once all of them have been shown. */
	async callTools(calls: Call[], onAnnounced: () => void): Promise<CallResult[]> {
		const { backend, transcript } = this.#parts;
		const opened = calls.map((call) => {
			const ids = this.#newCallIds();
			const args = mcpArgs(call, ids.callId, this.#parts.tools);
			this.#announce(ids, () => mcpToolCall(args, ids.callId), JSON.stringify(call.arguments ?? {}));
			return { call, ids, args };
		});
		onAnnounced();
		this.#listRequests(calls.length);
		const pending = opened.map(({ call, ids }): ToolCallPart => {
			return { type: "tool-call", toolCallId: ids.plainId, toolName: call.name, args: call.arguments ?? {} };
		});
		if (backend.switches.get("pending-tool-calls") === "sent") await this.#parts.pendingCheckpoint(pending);
		for (const part of pending) transcript.call(part);
		const results = await Promise.all(
			opened.map(async ({ call, ids, args }) => {
				const answer = await this.#ask({ case: "mcpArgs", value: args });
				const result = callResult(answer);
				const displayed = mcpToolCall(args, ids.callId, answer);
				this.#complete(ids, displayed);
				return { result, displayed, ids, call };
			}),
		);
		for (const { result, displayed, ids, call } of results) {
			const common = { toolCallId: ids.plainId, toolName: call.name, isError: result.isError };
			transcript.result({ ...common, result: keptText(result) }, displayed);
		}
		return results.map(({ result }) => result);
	}

	/** One built-in request. Kinds that have no form for display, such as request_context, are not shown. */
	async execute({ kind, args = {} }: ExecRequest): Promise<ExecAnswer> {
		const { transcript } = this.#parts;
		const ids = this.#newCallIds();
		const message = execMessage(kind, args, ids.callId);
		const isShown = displayedCall(kind, message.value, ids.callId) !== undefined;
		if (isShown) {
			this.#announce(ids, () => displayedCall(kind, message.value, ids.callId)!, JSON.stringify(args));
			transcript.call({ toolCallId: ids.plainId, toolName: kind, args });
		}
		const answer = await this.#ask(message as never);
		if (isShown) {
			const displayed = displayedCall(kind, message.value, ids.callId, answer)!;
			this.#complete(ids, displayed);
			transcript.result({ toolCallId: ids.plainId, toolName: kind, result: answerText(answer) }, displayed);
		}
		return answer;
	}

	/** The search runs here, once the client has allowed it: docs/protocol.md, Queries. */
	async search(term: string): Promise<SearchOutcome> {
		const { link, transcript } = this.#parts;
		const ids = this.#newCallIds();
		const args = { searchTerm: term, toolCallId: ids.callId };
		this.#announce(ids, () => searchCall(args), JSON.stringify({ search_term: term }));
		transcript.call({ toolCallId: ids.plainId, toolName: "web_search", args: { search_term: term } });
		const outcome = outcomeOf(term, await link.query({ case: "webSearchRequestQuery", value: { args } } as never));
		const displayed = searchCall(args, outcome);
		this.#complete(ids, displayed);
		const result = searchText(outcome);
		transcript.result({ toolCallId: ids.plainId, toolName: "web_search", result }, displayed);
		return outcome;
	}

	async #ask(message: Parameters<AgentLink["exec"]>[0]): Promise<ExecAnswer> {
		const { link, backend } = this.#parts;
		const answer = await link.exec(message, randomUUID());
		backend.stats.runs.resumedByToolResult += 1;
		return answer;
	}

	#complete({ callId, modelCallId }: CallIds, toolCall: ToolCall): void {
		this.#parts.link.update({ case: "toolCallCompleted", value: { callId, toolCall, modelCallId } });
	}

	/** Shows a call while its arguments come in, in the order that the switch asks for. */
	#announce(ids: CallIds, toolCall: () => ToolCall, argsText: string): void {
		const { link, backend } = this.#parts;
		const order = backend.switches.get("tool-call-order");
		const common = { callId: ids.callId, modelCallId: ids.modelCallId };
		const started = () => link.update({ case: "toolCallStarted", value: { ...common, toolCall: toolCall() } });
		if (order !== "partial-first") started();
		if (order !== "started-only") {
			for (const piece of inPieces(Buffer.from(argsText), ARGUMENT_PIECES)) {
				link.update({
					case: "partialToolCall",
					value: { ...common, toolCall: toolCall(), argsTextDelta: piece },
				});
			}
		}
		if (order === "partial-first") started();
	}

	#listRequests(callCount: number): void {
		if (this.#parts.backend.switches.get("tool-requests-listed") !== "sent") return;
		this.#parts.link.update({ case: "toolRequestsListed", value: { callCount } });
	}

	#newCallIds(): CallIds {
		const plainId = `call_${randomBytes(12).toString("hex")}`;
		const callId = this.#parts.openaiCallIds ? `${plainId}\nfc_${randomBytes(12).toString("hex")}` : plainId;
		return { callId, plainId, modelCallId: randomUUID() };
	}
}

function* inPieces(bytes: Buffer, count: number): Generator<Buffer> {
	const size = Math.max(1, Math.ceil(bytes.length / count));
	for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
