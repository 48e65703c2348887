import type { UpstreamStatus } from "../../connect/gateway-client.ts";
import { type Found, lines } from "./found.ts";

/** What `GET /healthz` and `GET /v1/cursorwire/status` say together. */
export interface StatusAnswer {
	version: string;
	status: string;
	store: string;
	degraded?: string[];
	upstream: UpstreamStatus[];
}

const WORDS = { closed: "reachable", open: "not asked for now", "half-open": "being tried again" } as const;

export function statusText(answer: StatusAnswer): Found {
	const { version, status, store, degraded = [], upstream } = answer;
	const text = lines(
		`Cursorwire ${version} is ${status}${degraded.length > 0 ? ` (${degraded.join(", ")})` : ""}; conversations are in ${store}.`,
		upstream.length === 0 ? "Cursor was not asked yet." : undefined,
		upstream.map(hostLine),
	);
	return { text, data: { ...answer } };
}

function hostLine({ host, state, failures, lastFailure, retryInSeconds }: UpstreamStatus): string {
	const problem = failures > 0 ? `, ${failures} failures in a row${lastFailure ? ` (${lastFailure})` : ""}` : "";
	return `${host}: ${WORDS[state]}${problem}${retryInSeconds ? `, next attempt in ${retryInSeconds} s` : ""}`;
}
