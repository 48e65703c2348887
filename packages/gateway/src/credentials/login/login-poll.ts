import { GatewayError } from "../../turn/error.ts";
import { Secret } from "../secret.ts";
import { isPolicyViolation, refusedAnswer } from "./auth-failure.ts";
import type { AuthAnswer } from "./auth-response.ts";

/** Where the polling of a browser login stands. */
export interface PollState {
	/** The official client polls by POST and goes over to GET where the server has no such route. */
	method: "POST" | "GET";
	/** Answers seen so far. */
	polls: number;
	/** Failures in a row. */
	failures: number;
}

export type PollStep =
	| { tokens: { accessToken: Secret; refreshToken: Secret } }
	| { failed: GatewayError }
	| { state: PollState; waitMs: number };

export const START: PollState = { method: "POST", polls: 0, failures: 0 };

const MOST_POLLS = 150;
const MOST_FAILURES = 3;
const PENDING = "Not found";
const NO_ROUTE = /^Route .*:.*not found/i;

/** What an answer (or its absence) means, and when to ask again. */
export function nextPoll(state: PollState, answer: AuthAnswer | GatewayError): PollStep {
	if (answer instanceof GatewayError) return failure(state, answer);
	if (answer.status === 404) return notFound(state, answer);
	if (isPolicyViolation(answer)) return { failed: refusedAnswer(answer) };
	const { accessToken, refreshToken } = answer.json ?? {};
	if (answer.status === 200 && isText(accessToken) && isText(refreshToken)) {
		return { tokens: { accessToken: new Secret(accessToken), refreshToken: new Secret(refreshToken) } };
	}
	return failure(state, refusedAnswer(answer));
}

/** 404 is the usual answer while the person has not decided yet, and also that of a server without the route. */
function notFound(state: PollState, answer: AuthAnswer): PollStep {
	if (answer.text !== PENDING) {
		if (state.method === "POST" && state.polls === 0) return { state: { ...state, method: "GET" }, waitMs: 0 };
		if (NO_ROUTE.test(String(answer.json?.message ?? ""))) return { failed: refusedAnswer(answer) };
	}
	return again({ ...state, failures: 0 });
}

function failure(state: PollState, error: GatewayError): PollStep {
	const failures = state.failures + 1;
	return failures >= MOST_FAILURES ? { failed: error } : again({ ...state, failures });
}

function again(state: PollState): PollStep {
	const polls = state.polls + 1;
	if (polls >= MOST_POLLS) {
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
