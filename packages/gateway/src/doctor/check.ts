import type { FoundGateway } from "../app/discovery.ts";
import type { UpstreamSide, UpstreamSideOptions } from "../app/upstream.ts";
import type { LoadedSettings, Settings } from "../config/settings.ts";
import type { LoginStatus } from "../credentials/login/login-status.ts";
import type { CensusRow } from "../upstream/census/tally.ts";
import type { Connect } from "../wire/connect/connector.ts";
import type { Verdict } from "./verdict.ts";

/** What checks look at. Whatever can fail is a function: one that fails costs one line, not all. */
export interface DoctorContext {
	/** Throws what is wrong with them. */
	loaded(): LoadedSettings;
	settings(): Settings;
	/** The one way out, with proxy and certificates of the settings. */
	connect(): Promise<Connect>;
	login(): Promise<LoginStatus>;
	upstream(): Promise<UpstreamSide>;
	/** One that is closed by whoever opens it. */
	openUpstream(changes: Partial<Settings>, options: UpstreamSideOptions): Promise<UpstreamSide>;
	gateway(): FoundGateway | undefined;
	version: string;
	/** Milliseconds since 1970. */
	now(): number;
	/** What came that nobody here knows: while the checks ran, and to gateways before. */
	news(): Promise<CensusRow[]>;
	signal: AbortSignal;
}

export interface Check {
	id: string;
	title: string;
	/** Checks that have to be well, or there is nothing to find out. */
	after?: readonly string[];
	/** It asks a model, which counts as usage. */
	spends?: boolean;
	/** One verdict, or one for each thing that was looked at. */
	run(context: DoctorContext): Promise<Verdict | Verdict[]>;
}
