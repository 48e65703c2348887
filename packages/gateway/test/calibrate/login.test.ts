import { describe, expect, it } from "vitest";
import type { SessionCredential } from "../../src/credentials/credential.ts";
import { openRigOn, sessionOf, works } from "../kit/credentials/rig.ts";
import { startCalibrationRig } from "./rig.ts";

describe("the login", () => {
	it("is kept when each refresh call is tried, and the first that works is remembered", async () => {
		const rig = await startCalibrationRig({ switches: ["refresh=auth-token"] });
		const { judgements } = await rig.run({ only: "refresh" });
		expect(judgements.refresh).toEqual({ value: "auth-token", sure: "certain" });
		const { keeper } = await openRigOn(rig.emulator, { dataDir: rig.settings.dataDir });
		const kept = (await keeper.load()) as SessionCredential;
		expect(kept.refreshCall).toBe("auth-token");
		expect(await works(rig.emulator, kept.access.value)).toBe(true);
	});

	it("is left alone where no call works", async () => {
		const rig = await startCalibrationRig({ switches: ["refresh=none"] });
		const credentials = await openRigOn(rig.emulator, { dataDir: rig.settings.dataDir });
		const before = credentials.file();
		expect((await rig.run({ only: "refresh" })).judgements.refresh).toMatchObject({ value: "none" });
		expect(credentials.file()).toBe(before);
	});

	it("that has expired and cannot be renewed is told as such, and nothing is asked", async () => {
		const rig = await startCalibrationRig({ switches: ["refresh=none"] });
		const credentials = await openRigOn(rig.emulator, { dataDir: rig.settings.dataDir });
		await credentials.keeper.save(await sessionOf(credentials, "expired"));
		await expect(rig.run()).rejects.toMatchObject({ kind: "signed-out" });
		expect(rig.emulator.prompts()).toEqual([]);
	});
});
