// The whole product in this process: emulator behind, gateway in front, a data folder of its own.
import { type Emulator, type EmulatorOptions, startEmulator } from "cursorwire-emulator";
import pino from "pino";
import { onTestFinished } from "vitest";
import { type Gateway, startGateway } from "../../src/app/gateway.ts";
import type { GatewayOptions } from "../../src/app/gateway-options.ts";
import { loadSettings, type Settings } from "../../src/config/settings.ts";
import type { FactStream } from "../../src/observe/facts.ts";
import type { ParkedLimits } from "../../src/sessions/parked-runs.ts";
import type { Clock } from "../../src/time/clock.ts";
import type { HealthLimits } from "../../src/upstream/health/host-health.ts";
import type { RunLimits } from "../../src/upstream/run/run-limits.ts";
import { temporaryFolder } from "./program.ts";

export interface TestGateway {
	emulator: Emulator;
	gateway: Gateway;
	url: string;
	/** The gateway's own key. */
	key: string;
	dataDir: string;
	/** A request with the key. */
	fetch(path: string, init?: RequestInit): Promise<Response>;
	/** POST of a JSON body with the key. */
	post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
}

export interface TestGatewayOptions {
	emulator?: EmulatorOptions;
	settings?: Partial<Settings>;
	limits?: Partial<RunLimits>;
	health?: Partial<HealthLimits>;
	parked?: Partial<ParkedLimits>;
	/** The address of something that stands before the emulator. */
	before?: (emulator: string) => Promise<string>;
	clock?: Clock;
	passingKeys?: GatewayOptions["passingKeys"];
	version?: string;
	/** The stream that facts are told to. */
	facts?: FactStream;
	/** The variables of OpenTelemetry. */
	env?: Record<string, string>;
	/** Sees what the gateway logs; nothing is printed either way. */
	onLog?: (entry: Record<string, unknown>) => void;
}

/** Retries without waiting, so that tests of them are quick. */
const FAST: Partial<RunLimits> = { backoffMs: 5, graceMs: 20 };

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
	const emulator = await startEmulator(options.emulator);
	onTestFinished(() => emulator.close());
	const dataDir = options.settings?.dataDir ?? temporaryFolder();
	const upstream = (await options.before?.(emulator.url)) ?? emulator.url;
	const { settings } = loadSettings(
		{ port: 0, upstream, apiKey: "key_test", logLevel: "silent", ...options.settings, dataDir },
		{},
	);
	const gateway = await startGateway(settings, {
		version: options.version ?? "test",
		runLimits: { ...FAST, ...options.limits },
		...(options.health && { health: options.health }),
		...(options.parked && { parked: options.parked }),
		...(options.clock && { clock: options.clock }),
		...(options.passingKeys && { passingKeys: options.passingKeys }),
		...(options.facts && { facts: options.facts }),
		...(options.env && { env: options.env }),
		log: logTo(options.onLog),
	});
	onTestFinished(() => gateway.close());
	const key = gateway.key?.key ?? settings.key;
	const send = (path: string, init: RequestInit = {}) =>
		fetch(`${gateway.url}${path}`, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
	return {
		emulator,
		gateway,
		url: gateway.url,
		key,
		dataDir,
		fetch: send,
		post: (path, body, init = {}) =>
			send(path, {
				method: "POST",
				body: JSON.stringify(body),
				...init,
				headers: { "content-type": "application/json", ...init.headers },
			}),
	};
}

function logTo(see: TestGatewayOptions["onLog"]): pino.Logger {
	if (!see) return pino({ level: "silent" });
	return pino({ level: "info" }, { write: (line) => see(JSON.parse(line)) });
}
