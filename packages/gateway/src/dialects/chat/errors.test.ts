import { describe, expect, it } from "vitest";
import { violations } from "../../../test/kit/schemas/chat/published.ts";
import { GatewayError } from "../../turn/error.ts";
import { ERROR_KINDS, type ErrorKind, type ErrorKindEntry } from "../../turn/error-kinds.ts";
import { retryHeaders } from "../shared/retry-headers.ts";
import { encodeChatError } from "./errors.ts";

describe("encodeChatError", () => {
	it.each(Object.keys(ERROR_KINDS) as ErrorKind[])("tells %s in OpenAI's form", (kind) => {
		const { status, headers, body } = encodeChatError(new GatewayError(kind));
		const entry: ErrorKindEntry = ERROR_KINDS[kind];
		expect(violations("error", body)).toEqual([]);
		expect(status).toBe(entry.status);
		expect(body.error).toEqual({
			message: `${entry.sentence} ${entry.nextStep}`,
			param: entry.param ?? null,
			...entry.openai,
		});
		expect(headers).toMatchObject(retryHeaders(new GatewayError(kind)));
	});

	it("tells which field is meant, what the upstream said and what to do", () => {
		const error = new GatewayError("invalid-request", "n must be at most 8.", {
			param: "n",
			detail: "Said so.",
			nextStep: "Ask for less.",
		});
		expect(encodeChatError(error).body.error).toMatchObject({
			message: "n must be at most 8. Said so. Ask for less.",
			param: "n",
		});
	});
});
