import { describe, expect, it } from "vitest";
import { SWITCHES, type SwitchName } from "../src/switches.ts";
import { useEmulators } from "./kit/emulators.ts";
import { RunClient } from "./kit/run-client.ts";
import { SWITCH_PROBES } from "./kit/switch-probes.ts";

const start = useEmulators();

describe("the values of every switch differ on the wire", () => {
	it("has a probe for each", () => {
		expect(Object.keys(SWITCH_PROBES).sort()).toEqual(Object.keys(SWITCHES).sort());
	});

	it.each(Object.keys(SWITCHES) as SwitchName[])("%s", async (name) => {
		const { options, look } = SWITCH_PROBES[name];
		const emulator = await start({ brain: "echo", ...options });
		const seen = new Map<string, string>();
		for (const value of SWITCHES[name].values) {
			emulator.set(`${name}=${value}`);
			const client = await RunClient.connect(emulator);
			const sight = JSON.stringify(await look(client, emulator), (_key, part) =>
				typeof part === "bigint" ? Number(part) : part,
			);
			const twin = seen.get(sight);
			expect(twin, `"${twin}" and "${value}" both look like ${sight}`).toBeUndefined();
			seen.set(sight, value);
		}
	});
});
