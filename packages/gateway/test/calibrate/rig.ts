// Calibration against a real emulator, with a browser login of its own.
import { type Emulator, type EmulatorOptions, startEmulator } from "cursorwire-emulator";
import { openUpstreamSide } from "../../src/app/upstream/upstream.ts";
import { AnswerFile } from "../../src/calibrate/answer-file.ts";
import { type Calibrated, calibrate } from "../../src/calibrate/calibrate.ts";
import { keepAnswers } from "../../src/calibrate/keep-answers.ts";
import type { Wishes } from "../../src/calibrate/plan.ts";
import { loadSettings, type Settings } from "../../src/config/settings.ts";
import { openCredentialStore } from "../../src/credentials/open-account.ts";
import { closing } from "../kit/cleanup.ts";
import { openRigOn, sessionOf } from "../kit/credentials/rig.ts";
import { temporaryFolder } from "../kit/program.ts";

export interface CalibrationRig {
	emulator: Emulator;
	settings: Settings;
	/** Calibrates, and stores what was found. */
	run(wishes?: Wishes): Promise<Calibrated>;
	answers: AnswerFile;
}

/** So long a silent turn is waited for; the clocks of runs look once a second. */
const WAIT_MS = 1_500;

export async function startCalibrationRig(
	options: EmulatorOptions = {},
	changes: Partial<Settings> = {},
): Promise<CalibrationRig> {
	const emulator = closing(await startEmulator({ brain: "demo", agentHosts: true, ...options }));
	const dataDir = temporaryFolder();
	const credentials = await openRigOn(emulator, { dataDir });
	await credentials.keeper.save(await sessionOf(credentials, "good"));
	const { settings } = loadSettings(
		{ port: 0, upstream: emulator.url, dataDir, vault: "file", logLevel: "silent", ...changes },
		{},
	);
	const answers = new AnswerFile(dataDir, settings.upstream);
	return {
		emulator,
		settings,
		answers,
		async run(wishes = {}) {
			const found = await calibrate(
				{
					settings,
					openUpstream: openUpstreamSide,
					credentials: ({ transport }) => openCredentialStore(settings, { transport }),
					waitMs: WAIT_MS,
					starts: () => {},
					signal: new AbortController().signal,
				},
				wishes,
			);
			keepAnswers(answers, found, { clientVersion: settings.clientVersion, now: Date.now(), only: wishes.only });
			return found;
		},
	};
}
