import { ErrorDetails_Error } from "@cursorwire/protocol/aiserver";
import { expect, it } from "vitest";
import { ERROR_KINDS } from "../../turn/error-kinds.ts";
import { ERROR_DETAILS, INFERENCE_ERROR_TYPES, PROVIDER_STATUSES } from "./error-details.ts";

it("knows every value of the enum and no other", () => {
	expect(Object.keys(ERROR_DETAILS)).toEqual(Object.keys(ErrorDetails_Error));
});

it("names kinds that exist", () => {
	const kinds = [
		...Object.values(ERROR_DETAILS).map(({ kind }) => kind),
		...[...INFERENCE_ERROR_TYPES.values(), ...PROVIDER_STATUSES.values()].map(({ kind }) => kind),
	];
	for (const kind of kinds) if (kind !== "by-code") expect(ERROR_KINDS).toHaveProperty(kind);
});

it("leaves no value to the Connect code that is not vague", () => {
	for (const [name, rule] of Object.entries(ERROR_DETAILS)) {
		if (rule.kind === "by-code") expect(rule.vague, name).toBe(true);
	}
});

it("has no upstream error that reads like a wrong gateway key", () => {
	for (const rule of Object.values(ERROR_DETAILS)) {
		if (rule.kind !== "by-code") expect(ERROR_KINDS[rule.kind].status).not.toBe(401);
	}
});
