import { setFlagsFromString } from "node:v8";

/**
 * Has V8 make every new object in the young generation. Otherwise it may find while a gateway is busy that the objects of
 * some place in the code live long, and makes them in the old generation from then on. Such an object refers to its whole
 * turn, which then moves there too, and a turn costs a third more until the process ends (ADR 65).
 */
export function makeObjectsYoung(): void {
	setFlagsFromString("--no-allocation-site-pretenuring");
	// Where Node keeps compiled code, it does so at the end, and takes it back only with the flags it was kept with.
	process.once("exit", () => setFlagsFromString("--allocation-site-pretenuring"));
}
