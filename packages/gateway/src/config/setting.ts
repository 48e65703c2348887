import type { ClientVersionSource } from "./client-versions.ts";
import type { Places } from "./places.ts";
import type { Parser } from "./setting-parsers.ts";

export interface Setting<T> {
	/** Variables in order of precedence, including names of Cursor's own programs that a user may have set already. */
	env: readonly string[];
	/** Variables whose presence alone, even if empty, means this value. `env` takes precedence. */
	presence?: { env: readonly string[]; value: T };
	/** A variable of another program that the user may come from. It has the lowest precedence, and a notice names ours. */
	foreign?: { env: string; read?(value: string): string };
	/** If no value was set: one that fits this machine better than the default. */
	found?(places: Places): { value: T; from: ClientVersionSource };
	default: T;
	parse: Parser<T>;
	about: string;
}

export const setting = <T>(entry: Setting<T>): Setting<T> => entry;
