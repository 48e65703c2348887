import type { Place } from "./catalogue.ts";
import { type Fault, parseFault } from "./fault.ts";

interface Armed {
	fault: Fault;
	/** Sum of the percents so far. The fault strikes whenever it reaches 100, which makes shares exact and repeatable. */
	share: number;
}

/** The armed faults, from the command line and the control API. */
export class FaultPlan {
	#armed: Armed[] = [];

	constructor(specs: readonly string[] = []) {
		for (const spec of specs) this.add(spec);
	}

	add(spec: string): void {
		this.#armed.push({ fault: parseFault(spec), share: 0 });
	}

	clear(): void {
		this.#armed = [];
	}

	list(): string[] {
		return this.#armed.map(({ fault }) => fault.spec);
	}

	/** True if nothing is armed, so that writers can skip the look-ups. */
	get empty(): boolean {
		return this.#armed.length === 0;
	}

	/** The fault that strikes here, if any. Counts it as used once. */
	take(place: Place, rpc: string, at = 0): Fault | undefined {
		for (const armed of this.#armed) {
			if (!matches(armed.fault, place, rpc, at)) continue;
			armed.share += armed.fault.percent;
			if (armed.share < 100) continue;
			armed.share -= 100;
			armed.fault.times -= 1;
			return armed.fault;
		}
		return undefined;
	}
}

function matches(fault: Fault, place: Place, rpc: string, at: number): boolean {
	return fault.times > 0 && fault.place === place && (fault.at === 0 || fault.at === at) && (fault.rpc ?? rpc) === rpc;
}
