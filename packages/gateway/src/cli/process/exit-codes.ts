import type { GatewayError } from "../../turn/error.ts";

interface ExitCode {
	code: number;
	/** For docs/cli.md; a test compares it with this table. */
	about: string;
}

/** Every exit code of the program. bin/cursorwire.mjs repeats `oldNode`, because it runs before anything is loaded. */
export const EXIT_CODES = {
	ok: { code: 0, about: "it worked" },
	failed: { code: 1, about: "it did not work; `doctor` found a failure" },
	usage: { code: 2, about: "a wrong option or setting, a port that is taken, a folder that cannot be used" },
	signedOut: { code: 3, about: "not signed in to Cursor, or the login has expired" },
	unreachable: { code: 4, about: "Cursor cannot be reached: network, proxy or certificate" },
	noGateway: { code: 5, about: "no gateway is running, or it does not respond" },
	oldNode: { code: 6, about: "this Node is too old" },
	interrupted: { code: 130, about: "ended by Ctrl-C" },
} as const satisfies Record<string, ExitCode>;

export type Exit = keyof typeof EXIT_CODES;

/** No gateway to talk to. */
export class NoGatewayError extends Error {}

const BY_KIND: Partial<Record<GatewayError["kind"], Exit>> = {
	"signed-out": "signedOut",
	"upstream-unavailable": "unreachable",
	"upstream-timeout": "unreachable",
	cancelled: "interrupted",
};

export const exitOfKind = (kind: GatewayError["kind"]): Exit => BY_KIND[kind] ?? "failed";
