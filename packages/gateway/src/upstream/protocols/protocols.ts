import type { Clock } from "../../time/clock.ts";
import type { Driver, ProtocolName } from "./driver.ts";

const REMEMBERED_MS = 3_600_000;
/** The newest first; the others only where the one before is not served. */
const ORDER = ["agent", "unified", "legacy"] as const satisfies readonly ProtocolName[];

export interface ProtocolOptions {
	drivers: Readonly<Record<ProtocolName, Driver>>;
	/** What the settings say, for all models and for single ones. */
	wanted: ProtocolName | "auto";
	wantedByModel: Readonly<Record<string, ProtocolName | "auto">>;
	clock: Clock;
	/** A line for the log. */
	report(line: string): void;
}

/** The protocol to speak, then those to go over to. */
export interface ProtocolChoice {
	drivers: readonly [Driver, ...Driver[]];
	/** One line where it is not the protocol that Cursor's own clients speak, and nobody asked for that. */
	warnings: readonly string[];
}

/** Which protocols a run speaks. A host that does not serve one is remembered for an hour. */
export class Protocols {
	readonly #options: ProtocolOptions;
	readonly #all: ProtocolChoice;
	/** What the settings say stays the same. */
	readonly #settled: Readonly<Record<ProtocolName, ProtocolChoice>>;
	readonly #refused = new Map<string, number>();

	constructor(options: ProtocolOptions) {
		this.#options = options;
		const { agent, unified, legacy } = options.drivers;
		this.#all = only(agent, unified, legacy);
		this.#settled = { agent: only(agent), unified: only(unified), legacy: only(legacy) };
	}

	/** For a model, by the name that the client used. */
	choose(model: string, origin: URL): ProtocolChoice {
		const { drivers, wanted, wantedByModel, clock } = this.#options;
		const settled = Object.hasOwn(wantedByModel, model) ? wantedByModel[model]! : wanted;
		if (settled !== "auto") return this.#settled[settled];
		if (this.#refused.size === 0) return this.#all;
		return this.#choose(drivers, origin, clock);
	}

	#choose(drivers: ProtocolOptions["drivers"], origin: URL, clock: Clock): ProtocolChoice {
		const isOpen = (name: ProtocolName) => (this.#refused.get(key(origin, name)) ?? 0) <= clock.now();
		const [first, ...others] = ORDER.filter(isOpen);
		if (first === undefined || first === ORDER[0]) return this.#all;
		return {
			drivers: [drivers[first], ...others.map((name) => drivers[name])],
			warnings: [notice(ORDER[0], first)],
		};
	}

	/** Nobody serves this protocol there; what the client is to be told. */
	switched(origin: URL, from: ProtocolName, to: ProtocolName): string {
		this.#refused.set(key(origin, from), this.#options.clock.now() + REMEMBERED_MS);
		this.#options.report(`${origin.host}: ${notice(from, to)}`);
		return notice(from, to);
	}
}

/** A choice that needs no warning. */
const only = (...drivers: readonly [Driver, ...Driver[]]): ProtocolChoice => ({ drivers, warnings: [] });

function notice(from: ProtocolName, to: ProtocolName): string {
	return `the ${from} protocol is not served there; the older ${to} one is used`;
}

const key = (origin: URL, name: ProtocolName) => `${name} ${origin.origin}`;
