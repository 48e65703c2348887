import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { findGateway } from "../../../app/discovery.ts";
import { openUpstreamSide } from "../../../app/upstream/open-upstream.ts";
import type { UpstreamSide } from "../../../app/upstream/upstream.ts";
import { type LoadedSettings, loadSettings, type Settings } from "../../../config/settings.ts";
import { statusOf } from "../../../credentials/login/login-status.ts";
import { openCredentialStore } from "../../../credentials/open-account.ts";
import type { DoctorContext } from "../../../doctor/check.ts";
import { CHECKS } from "../../../doctor/checks.ts";
import { type Conclusion, conclude } from "../../../doctor/conclusion.ts";
import { gatherReport, LAST_REQUESTS } from "../../../doctor/gather-report.ts";
import { type Finding, runDoctor } from "../../../doctor/run-doctor.ts";
import type { LedgerRow } from "../../../store/ledger-row.ts";
import { openStore } from "../../../store/open-store.ts";
import { packageVersion } from "../../../version.ts";
import { createConnector } from "../../../wire/connect/connector.ts";
import { readTrust } from "../../../wire/connect/trust.ts";
import type { DoctorFlags } from "../../options/health/doctor.ts";
import { EXIT_CODES } from "../../process/exit-codes.ts";
import { describeFailure } from "../../process/failure.ts";
import { runCommand } from "../../process/run-command.ts";
import { type Output, type Paint, painter } from "../../terminal/output.ts";
import { startSpinner } from "../../terminal/terminal.ts";

/** `cursorwire doctor`. Exit code 1 if a check failed; warnings do not count as failures. */
export function doctor(flags: DoctorFlags): Promise<void> {
	return runCommand(async (signal) => {
		const opened: UpstreamSide[] = [];
		const context = contextOf(signal, opened);
		const paint = painter(process.stdout);
		let stop = () => {};
		try {
			const { findings, leftOut } = await runDoctor(context, {
				checks: CHECKS,
				spend: flags.runs !== false,
				explain: (error) => describeFailure(error).line,
				starts({ title }) {
					stop();
					stop = startSpinner(title);
				},
				found(finding) {
					stop();
					if (!flags.json) printFinding(process.stdout, paint, finding);
				},
			});
			const conclusion = conclude({ findings }, flags.runs !== false);
			const missing = leftOut.map(({ title }) => title);
			if (flags.json) console.log(JSON.stringify({ version: context.version, conclusion, findings, leftOut: missing }));
			else if (missing.length > 0) console.log(`\nNot checked, because of the failures above: ${missing.join(", ")}.`);
			if (!flags.json) printConclusion(process.stdout, paint, conclusion);
			if (flags.report !== undefined) await saveReport(resolve(flags.report), context, { findings, conclusion }, flags);
			if (findings.some(({ status }) => status === "failure")) process.exitCode = EXIT_CODES.failed.code;
		} finally {
			stop();
			await Promise.all(opened.map((side) => side.close()));
		}
	});
}

const MARKS = { ok: ["green", "ok     "], warning: ["yellow", "warning"], failure: ["red", "failure"] } as const;

function printFinding(output: Output, paint: Paint, { status, title, text, next }: Finding): void {
	const [style, mark] = MARKS[status];
	output.write(`${paint(style, mark)}  ${title.padEnd(12)} ${text}\n`);
	if (next !== undefined) output.write(`${" ".repeat(22)} ${paint("dim", `→ ${next}`)}\n`);
}

const STYLES = { works: "green", "works-with-news": "yellow", broken: "red" } as const;

function printConclusion(output: Output, paint: Paint, { state, text, next }: Conclusion): void {
	output.write(`\n${paint(STYLES[state], text)}\n`);
	if (next !== undefined) output.write(`${paint("dim", `→ ${next}`)}\n`);
}

function contextOf(signal: AbortSignal, opened: UpstreamSide[]): DoctorContext {
	const loaded = once(() => loadSettings());
	const settings = () => loaded().settings;
	const connect = once(async () => {
		const { httpsProxy, httpProxy, noProxy, caFile } = settings();
		const ca = caFile === "" ? undefined : await readTrust(caFile);
		return createConnector({ proxy: { httpsProxy, httpProxy, noProxy }, ca });
	});
	const news = once(async () => (await import("../../../app/upstream/census.ts")).openCensus(settings()));
	const upstream = once(async () => {
		const side = await openUpstreamSide(settings(), { news: await news() });
		opened.push(side);
		return side;
	});
	return {
		loaded,
		settings,
		connect,
		upstream,
		openUpstream: async (changes: Partial<Settings>, options) =>
			openUpstreamSide({ ...settings(), ...changes }, { ...options, news: await news() }),
		login: once(async () => {
			const { transport } = await upstream();
			return statusOf(settings(), await openCredentialStore(settings(), { transport }));
		}),
		gateway: () => findGateway(settings().dataDir),
		version: packageVersion(),
		now: Date.now,
		news: async () => (await news()).all(),
		signal,
	};
}

function once<T>(make: () => T): () => T {
	let made: { value: T } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}

async function saveReport(
	file: string,
	context: DoctorContext,
	found: { findings: readonly Finding[]; conclusion: Conclusion },
	{ json }: DoctorFlags,
): Promise<void> {
	const loaded = attempt(context.loaded);
	const text = gatherReport({
		version: context.version,
		loaded,
		...found,
		lastRequests: await lastRequests(loaded),
	});
	writeFileSync(file, text, { mode: 0o600 });
	if (!json) console.log(`\nWritten to ${file}: read it before you send it.`);
}

function attempt<T>(make: () => T): T | undefined {
	try {
		return make();
	} catch {
		return undefined;
	}
}

async function lastRequests(loaded: LoadedSettings | undefined): Promise<LedgerRow[]> {
	if (!loaded) return [];
	const { dataDir, redis, caFile } = loaded.settings;
	const store = await openStore({ dataDir, redis, caFile, warn: () => {} });
	try {
		return await store.lastRequests(LAST_REQUESTS);
	} finally {
		await store.close();
	}
}
