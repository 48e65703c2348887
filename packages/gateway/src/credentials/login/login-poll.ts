import { GatewayError } from "../../turn/error.ts";
import { Secret } from "../secret.ts";
import { isPolicyViolation, refusedResponse } from "./auth-failure.ts";
import type { AuthResponse } from "./auth-response.ts";

/** The state of polling for a browser login. */
export interface PollState {
	/** Like the official client: POST first, then GET if the server has no such route. */
	method: "POST" | "GET";
	/** Responses seen so far. */
	polls: number;
	/** Failures in a row. */
	failures: number;
}

export type PollStep =
	| { tokens: { accessToken: Secret; refreshToken: Secret } }
	| { failed: GatewayError }
	| { state: PollState; waitMs: number };

export const START: PollState = { method: "POST", polls: 0, failures: 0 };

const MAX_POLLS = 150;
const MAX_FAILURES = 3;
const PENDING = "Not found";
const NO_ROUTE = /^Route .*:.*not found/i;

/** What a response (or its absence) means, and when to poll again. */
export function nextPoll(state: PollState, response: AuthResponse | GatewayError): PollStep {
	if (response instanceof GatewayError) return failure(state, response);
	if (response.status === 404) return notFound(state, response);
	if (isPolicyViolation(response)) return { failed: refusedResponse(response) };
	const { accessToken, refreshToken } = response.json ?? {};
	if (response.status === 200 && isText(accessToken) && isText(refreshToken)) {
		return { tokens: { accessToken: new Secret(accessToken), refreshToken: new Secret(refreshToken) } };
	}
	return failure(state, refusedResponse(response));
}

/** 404 is the normal response until the person approves the login, and also that of a server without the route. */
function notFound(state: PollState, response: AuthResponse): PollStep {
	if (response.text !== PENDING) {
		if (state.method === "POST" && state.polls === 0) return { state: { ...state, method: "GET" }, waitMs: 0 };
		if (NO_ROUTE.test(String(response.json?.message ?? ""))) return { failed: refusedResponse(response) };
	}
	return again({ ...state, failures: 0 });
}

function failure(state: PollState, error: GatewayError): PollStep {
	const failures = state.failures + 1;
	return failures >= MAX_FAILURES ? { failed: error } : again({ ...state, failures });
}

function again(state: PollState): PollStep {
	const polls = state.polls + 1;
	if (polls >= MAX_POLLS) {
		const failed = new GatewayError("signed-out", "Nobody approved the login in time.", {
			nextStep: "Run `cursorwire login` again.",
		});
		return { failed };
	}
	return { state: { ...state, polls }, waitMs: Math.min(1000 * 1.2 ** state.polls, 10_000) };
}

function isText(value: unknown): value is string {
	return typeof value === "string" && value !== "";
}
