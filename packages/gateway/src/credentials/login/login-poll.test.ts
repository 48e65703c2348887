import { describe, expect, it } from "vitest";
import { GatewayError } from "../../turn/error.ts";
import type { AuthResponse } from "./auth-response.ts";
import { nextPoll, type PollState, type PollStep, START } from "./login-poll.ts";

function answer(status: number, body: unknown = ""): AuthResponse {
	const text = typeof body === "string" ? body : JSON.stringify(body);
	return { status, headers: {}, text, json: typeof body === "string" ? undefined : (body as Record<string, unknown>) };
}
const PENDING = answer(404, "Not found");

/** Plays responses until a step is the last one. */
function play(...answers: (AuthResponse | GatewayError)[]): { last: PollStep; waits: number[] } {
	let state: PollState = START;
	const waits: number[] = [];
	for (const each of answers) {
		const step = nextPoll(state, each);
		if (!("state" in step)) return { last: step, waits };
		waits.push(step.waitMs);
		state = step.state;
	}
	return { last: { state, waitMs: waits.at(-1) ?? 0 }, waits };
}

describe("polling", () => {
	it("waits ever longer, up to ten seconds, and gives up after 150 polls", () => {
		const { last, waits } = play(...Array<AuthResponse>(200).fill(PENDING));
		expect(waits.slice(0, 3)).toEqual([1000, 1200, 1440]);
		expect(Math.max(...waits)).toBe(10_000);
		expect(waits).toHaveLength(149);
		expect(last).toMatchObject({ failed: { kind: "signed-out" } });
	});

	it("ends with both tokens", () => {
		const { last } = play(PENDING, answer(200, { accessToken: "a", refreshToken: "r" }));
		expect("tokens" in last && last.tokens.refreshToken.reveal()).toBe("r");
	});

	it.each([
		{},
		{ accessToken: "a" },
		{ accessToken: "a", refreshToken: 7 },
		{ accessToken: "", refreshToken: "r" },
		"x",
	])("takes a 200 with %j for a failure", (body) =>
		expect(play(answer(200, body)).last).toMatchObject({ state: { failures: 1 } }),
	);

	it("switches to GET at once if the first POST has no route", () => {
		const step = nextPoll(START, answer(404, { message: "Route POST:/auth/poll not found" }));
		expect(step).toEqual({ state: { method: "GET", polls: 0, failures: 0 }, waitMs: 0 });
	});

	it("stays with POST once it has worked", () => {
		expect(play(PENDING, answer(404, "something")).last).toMatchObject({ state: { method: "POST" } });
	});

	it("ends if GET has no route either", () => {
		const { last } = play(answer(404, "<html>"), answer(404, { message: "Route GET:/auth/poll not found" }));
		expect(last).toMatchObject({ failed: { kind: "upstream-unavailable" } });
	});

	it("ends at the third failure in a row", () => {
		const network = new GatewayError("upstream-unavailable");
		expect(play(answer(500), network, answer(403)).last).toMatchObject({ failed: { kind: "permission-denied" } });
		expect(play(answer(500), network, PENDING, answer(500), answer(500)).last).toMatchObject({
			state: { failures: 2 },
		});
	});

	it("ends at once if the organisation refuses", () => {
		const refusal = answer(403, { error: "sign_in_policy_violation", message: "Use SSO." });
		expect(play(PENDING, refusal).last).toMatchObject({ failed: { kind: "permission-denied", detail: "Use SSO." } });
	});
});
