// The upstream side on its own: runs against an emulator, without any HTTP front.
import { randomBytes, randomUUID } from "node:crypto";
import { type Emulator, type EmulatorOptions, startEmulator } from "cursorwire-emulator";
import { onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../src/time/clock.ts";
import { NOTHING_SPENT, settleCache, settleOutput, toldInput } from "../../src/tokens/settle-usage.ts";
import { type CollectedTurn, TurnCollector } from "../../src/turn/collect.ts";
import type { GatewayError } from "../../src/turn/error.ts";
import type { TurnEvent } from "../../src/turn/event.ts";
import { Grammar } from "../../src/turn/grammar.ts";
import { emptyRequest, type ToolDefinition, type ToolResultPart, type TurnRequest } from "../../src/turn/request.ts";
import type { ToldUsage } from "../../src/turn/told-usage.ts";
import type { TokenUsage } from "../../src/turn/usage.ts";
import { Census } from "../../src/upstream/census/census.ts";
import { DEFAULT_HEALTH_LIMITS, HealthRegister } from "../../src/upstream/health/health-register.ts";
import type { ProtocolName, RunPlan } from "../../src/upstream/protocols/driver.ts";
import { createDrivers } from "../../src/upstream/protocols/drivers.ts";
import { Pulse } from "../../src/upstream/run/pulse.ts";
import { CursorRun } from "../../src/upstream/run/run.ts";
import { DEFAULT_RUN_LIMITS, type RunLimits } from "../../src/upstream/run/run-limits.ts";
import type { RunObserver } from "../../src/upstream/run/run-observer.ts";
import type { RunAccount, RunRequest, RunServices } from "../../src/upstream/run/run-parts.ts";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { H1Client } from "../../src/wire/h1/h1.ts";
import { H2Pool } from "../../src/wire/h2/h2-pool.ts";

export type ChannelName = "h2-duplex" | "sse-append";

export interface UpstreamOptions {
	emulator?: EmulatorOptions;
	channel?: ChannelName | "auto";
	limits?: Partial<RunLimits>;
	clock?: Clock;
	/** Of the connections, where it is another. */
	wireClock?: Clock;
}

/** What a response brought, and its error if it failed. */
export interface Response {
	events: TurnEvent[];
	turn: CollectedTurn;
	text: string;
	thinking: string;
	calls: { id: string; name: string; arguments: string }[];
	error: GatewayError | undefined;
}

export interface Upstream {
	emulator: Emulator;
	services: RunServices;
	account: RunAccount & { token: string };
	/** What came that nobody here knows. */
	census: Census;
	/** Streams and requests that are open. */
	openStreams(): number;
	newRun(
		request: Partial<TurnRequest>,
		more?: Partial<RunPlan> & Pick<Partial<RunRequest>, "otherSpelling">,
		observer?: RunObserver<CursorRun>,
	): CursorRun;
}

/** Fast retries, so that tests of them do not wait. */
const TEST_LIMITS: Partial<RunLimits> = { backoffMs: 5, graceMs: 20 };

export async function startUpstream(options: UpstreamOptions = {}): Promise<Upstream> {
	const emulator = await startEmulator(options.emulator);
	const connect = createConnector(emulator.ca ? { ca: [emulator.ca] } : {});
	const clock = options.clock ?? systemClock;
	const wireClock = options.wireClock ?? clock;
	const pool = new H2Pool({ connect, clock: wireClock });
	const http1 = new H1Client({ connect, clock: wireClock });
	onTestFinished(async () => {
		await pool.close();
		http1.close();
		await emulator.close();
	});
	const census = new Census({ now: Date.now });
	const limits = { ...DEFAULT_RUN_LIMITS, ...TEST_LIMITS, ...options.limits };
	const { agent } = createDrivers({
		http2: pool,
		http1,
		forceHttp1: options.channel === "sse-append",
		clock,
		limits,
		newId: randomUUID,
		unifiedStream: "auto",
		olderFraming: "connect",
		counterFor: () => census.counterFor("test"),
	});
	const services: RunServices = {
		clock,
		pulse: new Pulse(clock),
		limits,
		health: new HealthRegister({ limits: DEFAULT_HEALTH_LIMITS, clock, changed: () => {} }),
		newId: randomUUID,
		newCallId: () => `call_${randomBytes(16).toString("hex")}`,
		random: () => 0,
		approveWeb: false,
		cacheTokens: "included",
	};
	const account = {
		key: "test",
		origin: () => new URL(emulator.url),
		http: undefined,
		token: await exchange(emulator),
		async headers(_protocol: ProtocolName, requestId: string, originalRequestId: string) {
			return {
				authorization: `Bearer ${account.token}`,
				"x-cursor-client-type": "cli",
				"x-cursor-client-version": "cli-2026.08.11-e8db854",
				"x-ghost-mode": "true",
				"x-request-id": requestId,
				"x-original-request-id": originalRequestId,
				"x-cursor-agent-allowed-tools": "mcp_tool_call",
			};
		},
		async tokenRefused() {
			account.token = await exchange(emulator);
		},
	};
	return {
		emulator,
		services,
		account,
		census,
		openStreams: () => pool.stats().openStreams + pool.stats().waiting + http1.stats().openStreams,
		newRun(request, more = {}, observer = {}) {
			const { otherSpelling, ...plan } = more;
			return new CursorRun(
				account,
				{
					answering: { name: "composer-1", description: "composer-1" },
					otherSpelling,
					drivers: [agent],
					plan: {
						request: { ...emptyRequest("composer-1"), ...request },
						stored: undefined,
						conversationId: randomUUID(),
						runId: randomUUID(),
						model: { id: "composer-1", parameters: {}, maxMode: false, name: "composer-1" },
						systemPrompt: "cloud-rule",
						toolChannel: "run-request",
						environment: { osVersion: "test", timeZone: "UTC" },
						ghostMode: true,
						...plan,
					},
				},
				services,
				observer,
			);
		},
	};
}

async function exchange(emulator: Emulator): Promise<string> {
	if (emulator.ca) return (await import("./network/tls-fetch.ts")).exchangeOverTls(emulator);
	const response = await fetch(`${emulator.url}/auth/exchange_user_api_key`, {
		method: "POST",
		headers: { authorization: "Bearer key_test", "content-type": "application/json" },
		body: "{}",
	});
	return ((await response.json()) as { accessToken: string }).accessToken;
}

/** Listens to one response to its end, holding every event to the grammar. */
export function listen(
	begin: (listener: Parameters<CursorRun["open"]>[0]) => void,
	onEvent: (event: TurnEvent) => void = () => {},
): Promise<Response> {
	return new Promise((resolve) => {
		const grammar = new Grammar();
		const collector = new TurnCollector();
		const events: TurnEvent[] = [];
		const done = (error?: GatewayError) => {
			const { content } = collector.turn;
			const joined = (type: "text" | "thinking") =>
				content.map((part) => (part.type === type ? part.text : "")).join("");
			const calls = content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
			resolve({ events, turn: collector.turn, text: joined("text"), thinking: joined("thinking"), calls, error });
		};
		begin({
			events(batch) {
				for (const event of batch) {
					// Signs of life may come before the reply begins.
					if (event.type !== "activity") grammar.accept(event);
					collector.add(event.type === "told-usage" ? { type: "usage", usage: usageOf(event.told) } : event);
					events.push(event);
					onEvent(event);
				}
				if (grammar.ended) done();
			},
			failed: (error) => done(error),
		});
	});
}

/** What was told, where nobody estimates the rest. */
function usageOf(told: ToldUsage): TokenUsage {
	const output = settleOutput(told, NOTHING_SPENT, { textTokens: 0, thinkingTokens: 0, callTokens: 0 })!;
	const inputTokens = toldInput(told, output.outputTokens) ?? 0;
	return { inputTokens, ...output, ...settleCache(told.run, inputTokens) };
}

export const user = (text: string): TurnRequest["messages"][number] => ({
	role: "user",
	content: [{ type: "text", text }],
});

export function tool(name: string, properties: Record<string, unknown> = {}): ToolDefinition {
	return { name, description: `the tool ${name}`, inputSchema: { type: "object", properties }, kind: "function" };
}

export const result = (callId: string, text: string, isError = false): ToolResultPart => ({
	type: "tool-result",
	callId,
	content: [{ type: "text", text }],
	isError,
});
