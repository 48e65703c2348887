import { homedir } from "node:os";

/** Where programs keep their settings on this machine. */
export interface Places {
	home: string;
	platform: NodeJS.Platform;
	/** The value of an environment variable, or an empty text. */
	variable(name: string): string;
}

export function readPlaces(env: NodeJS.ProcessEnv = process.env): Places {
	return {
		home: env.HOME || env.USERPROFILE || homedir(),
		platform: process.platform,
		variable: (name) => env[name] ?? "",
	};
}
