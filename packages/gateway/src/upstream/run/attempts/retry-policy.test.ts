import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../turn/error.ts";
import { ERROR_KINDS, type ErrorKind } from "../../../turn/error-kinds.ts";
import { DEFAULT_RUN_LIMITS as limits } from "../run-limits.ts";
import { decide, type FailureFacts } from "./retry-policy.ts";

const NOTHING: FailureFacts = {
	emitted: false,
	resumable: false,
	transportRetries: 0,
	serverRetries: 0,
	fruitlessResumes: 0,
	canFallBack: false,
	hasOtherSpelling: false,
	hasOtherProtocol: false,
	tokenWasRefreshed: false,
	customPrompt: false,
};
const KINDS = Object.keys(ERROR_KINDS) as ErrorKind[];
const error = (kind: ErrorKind) => ({ kind: "error" as const, error: new GatewayError(kind) });
const broken = (kind: ErrorKind, more: { fallback?: boolean; safeToRetry?: boolean } = {}) => ({
	kind: "broken" as const,
	error: new GatewayError(kind),
	fallback: false,
	safeToRetry: false,
	...more,
});

describe("once something of the response was seen", () => {
	const seen = { ...NOTHING, emitted: true, hasOtherSpelling: true, canFallBack: true, customPrompt: true };

	it.each(KINDS)("an error %s is told, and nothing is sent again", (kind) => {
		expect(decide(error(kind), seen, limits)).toMatchObject({ kind: "fail" });
		expect(decide(broken(kind, { fallback: true, safeToRetry: true }), seen, limits)).toMatchObject({ kind: "fail" });
	});

	it("a broken stream is resumed where that repeats nothing, and not for ever", () => {
		const resumable = { ...seen, resumable: true };
		expect(decide(broken("upstream-reset"), resumable, limits)).toEqual({ kind: "resume", delayMs: 2000 });
		expect(decide(broken("upstream-reset"), { ...resumable, fruitlessResumes: 2 }, limits).kind).toBe("fail");
		expect(
			decide(broken("upstream-reset"), { ...resumable, transportRetries: limits.transportRetries }, limits).kind,
		).toBe("fail");
	});
});

describe("before anything was seen", () => {
	it("a network without HTTP/2 leads to HTTP/1.1, once", () => {
		const end = broken("upstream-protocol", { fallback: true });
		expect(decide(end, { ...NOTHING, canFallBack: true }, limits)).toEqual({ kind: "fall-back" });
		expect(decide(end, NOTHING, limits).kind).toBe("fail");
	});

	it("a refused token is renewed once", () => {
		expect(decide(error("signed-out"), NOTHING, limits)).toEqual({ kind: "refresh-token" });
		expect(decide(error("signed-out"), { ...NOTHING, tokenWasRefreshed: true }, limits).kind).toBe("fail");
	});

	it("another spelling of the model and a plainer prompt are tried where they may be the reason", () => {
		expect(decide(error("model-not-found"), { ...NOTHING, hasOtherSpelling: true }, limits)).toEqual({
			kind: "respell",
		});
		expect(decide(error("upstream-empty"), { ...NOTHING, hasOtherSpelling: true }, limits)).toEqual({
			kind: "respell",
		});
		expect(decide(error("model-not-found"), NOTHING, limits).kind).toBe("fail");
		expect(decide(error("invalid-request"), { ...NOTHING, customPrompt: true }, limits)).toEqual({
			kind: "plain-prompt",
		});
	});

	it("waits longer each time, and no longer than the limit", () => {
		const delays = [0, 1, 2, 3].map((transportRetries) => {
			const verdict = decide(broken("upstream-reset"), { ...NOTHING, transportRetries }, limits);
			return verdict.kind === "retry" ? verdict.delayMs : verdict.kind;
		});
		expect(delays).toEqual([2000, 4000, 8000, 16_000]);
		const late = decide(
			broken("upstream-reset"),
			{ ...NOTHING, transportRetries: 9 },
			{ ...limits, transportRetries: 10 },
		);
		expect(late).toMatchObject({ delayMs: limits.longestBackoffMs });
	});

	it("a host that cannot be reached is told after one more look", () => {
		expect(decide(broken("upstream-unavailable"), NOTHING, limits)).toMatchObject({ kind: "retry", delayMs: 200 });
		expect(decide(broken("upstream-unavailable"), { ...NOTHING, transportRetries: 1 }, limits).kind).toBe("fail");
	});

	it("what will not pass by itself is told at once", () => {
		for (const kind of KINDS.filter((each) => ERROR_KINDS[each].retry === "never")) {
			const verdict = decide(error(kind), { ...NOTHING, tokenWasRefreshed: true }, limits);
			expect([kind, verdict.kind]).toEqual([kind, "fail"]);
		}
		expect(decide(error("rate-limited"), NOTHING, limits).kind).toBe("fail");
	});
});
