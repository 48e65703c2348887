import type { Places } from "../config/places.ts";
import type { Client, Target } from "../connect/client.ts";
import { planConnect } from "../connect/plan.ts";
import { readSettingsFile } from "../connect/settings-file.ts";

/** Environment variables; undefined: the client must not see it. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What a client is given besides variables. */
export interface Extras {
	/** Before the words that the user has for it. No key: every user of the machine can read a command line. */
	args?: readonly string[];
	variables?: Variables;
	/** Contents of new files by their paths, which are in the folder of the run. */
	files?: Readonly<Record<string, string>>;
}

/** Where a client is started. */
export interface Surroundings {
	/** The folder of this run, which is removed afterwards. */
	folder: string;
	places: Places;
}

/** A client that can be started so that it uses the gateway, without a change to any file of the user's. */
export interface LaunchClient {
	name: string;
	/** What it is called on the PATH. */
	program: string;
	/** The command that installs it, or the page that says how. */
	install: string;
	/** What leads it to the gateway. Its own settings and conversations stay as they are. */
	variables(target: Target): Variables;
	/** What variables alone cannot say. */
	extras?(target: Target, surroundings: Surroundings): Extras;
}

/** The user's settings of a client with the gateway in them, as `connect` would write them. */
export function connectedSettings(client: Client, target: Target, places: Places): string {
	for (const file of client.files(places)) {
		const present = readSettingsFile(file);
		if (present !== undefined) return planConnect(client, file, present, target, true).after;
	}
	return planConnect(client, client.files(places)[0]!, undefined, target, true).after;
}
