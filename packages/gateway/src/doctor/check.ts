import type { FoundGateway } from "../app/discovery.ts";
import type { UpstreamSide, UpstreamSideOptions } from "../app/upstream/upstream.ts";
import type { LoadedSettings, Settings } from "../config/settings.ts";
import type { LoginStatus } from "../credentials/login/login-status.ts";
import type { CensusRow } from "../upstream/census/tally.ts";
import type { Connect } from "../wire/connect/connector.ts";
import type { Verdict } from "./verdict.ts";

/** What checks work with. Everything that can fail is a function, so that a failure costs one check and not all. */
export interface DoctorContext {
	/** Throws if the settings are wrong. */
	loaded(): LoadedSettings;
	settings(): Settings;
	/** Opens connections, with the proxy and certificates from the settings. */
	connect(): Promise<Connect>;
	login(): Promise<LoginStatus>;
	upstream(): Promise<UpstreamSide>;
	/** The caller has to close it. */
	openUpstream(changes: Partial<Settings>, options: UpstreamSideOptions): Promise<UpstreamSide>;
	gateway(): FoundGateway | undefined;
	version: string;
	/** Milliseconds since 1970. */
	now(): number;
	/** What Cursor sent that is unknown: during the checks, and earlier to gateways. */
	news(): Promise<CensusRow[]>;
	signal: AbortSignal;
}

export interface Check {
	id: string;
	title: string;
	/** Checks that must not have failed before this one. */
	after?: readonly string[];
	/** Whether it asks a model, which counts as usage. */
	spends?: boolean;
	/** One verdict, or one per thing that was checked. */
	run(context: DoctorContext): Promise<Verdict | Verdict[]>;
}
