import { afterEach } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/index.ts";

/** Starts emulators that are closed when the test is over. */
export function useEmulators(): (options?: EmulatorOptions) => Promise<Emulator> {
	const running: Emulator[] = [];
	afterEach(async () => {
		await Promise.all(running.splice(0).map((emulator) => emulator.close()));
	});
	return async (options) => {
		const emulator = await startEmulator(options);
		running.push(emulator);
		return emulator;
	};
}
