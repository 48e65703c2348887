import type { Client, Target } from "../connect/client.ts";

/** Environment variables; undefined: the client must not see it. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What a client is given besides variables. */
export interface Extras {
	/** Before the words that the user has for it. No key: every user of the machine can read a command line. */
	args?: readonly string[];
	variables?: Variables;
	/** Contents of new files by their paths, which are in the folder of the launch. */
	files?: Readonly<Record<string, string>>;
}

/** Where a client is started. */
interface Surroundings {
	/** The folder of this launch, which is removed afterwards. */
	folder: string;
	/** The user's settings of a client with the gateway in them, as `connect` would write them. */
	connected(client: Client): string;
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
	/** Variables alone do not lead it to the gateway. */
	needsMore?: true;
	/** What else it gets for a launch. */
	extras?(target: Target, surroundings: Surroundings): Extras;
}
