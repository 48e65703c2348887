import { FAULT_SYNTAX, FAULTS, type Place } from "./catalogue.ts";
import { badValue } from "./values.ts";

/** One fault to inject: what, where, how often, in which RPC. */
export interface Fault {
	spec: string;
	name: string;
	value: string | undefined;
	place: Place;
	/** Which frame, byte or append; 0 if the place has no number. */
	at: number;
	/** How many more times it strikes. */
	times: number;
	/** The share of the matching occasions at which it strikes. */
	percent: number;
	/** The name of an RPC such as `Run`; undefined means every streaming RPC. */
	rpc: string | undefined;
}

const SYNTAX =
	/^(?<name>[a-z0-9-]+)(?:=(?<value>[^@]*))?@(?<place>[a-z-]+)(?::(?<at>\d+))?(?:\*(?<times>\d+))?(?:%(?<percent>\d+))?(?:\/(?<rpc>\w+))?$/;

/** Reads `reset=INTERNAL_ERROR@frame:7*1/Run`. Throws one line that says what is wrong. */
export function parseFault(spec: string): Fault {
	const parts = SYNTAX.exec(spec)?.groups;
	if (!parts) throw new Error(`fault "${spec}" does not read as ${FAULT_SYNTAX}`);
	const name = parts.name!;
	const known = FAULTS[name];
	if (!known) throw new Error(`unknown fault "${name}" (known: ${Object.keys(FAULTS).sort().join(", ")})`);
	const place = parts.place as Place;
	if (!known.places.includes(place)) {
		throw new Error(`fault "${name}" cannot strike at "${place}" (it can at: ${known.places.join(", ")})`);
	}
	const numbered = place === "frame" || place === "byte" || place === "append";
	if (numbered && parts.at === undefined) throw new Error(`fault "${spec}" needs a number: ${place}:N`);
	const complaint = badValue(name, parts.value);
	if (complaint) throw new Error(`fault "${name}" ${complaint}, not "${parts.value}"`);
	return {
		spec,
		name,
		value: parts.value,
		place,
		at: Number(parts.at ?? 0),
		times: parts.times === undefined ? Number.POSITIVE_INFINITY : Number(parts.times),
		percent: Number(parts.percent ?? 100),
		rpc: parts.rpc,
	};
}
