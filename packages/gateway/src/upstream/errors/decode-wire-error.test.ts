import { expect, it } from "vitest";
import { GatewayError } from "../../turn/error.ts";
import { ERROR_KINDS } from "../../turn/error-kinds.ts";
import { WireError, type WireErrorCode } from "../../wire/errors.ts";
import { decodeThrown, decodeWireError, WIRE_ERROR_CAUSES } from "./decode-wire-error.ts";

it("has a kind for every code, and keeps the error as the cause", () => {
	for (const code of Object.keys(WIRE_ERROR_CAUSES) as WireErrorCode[]) {
		const wire = new WireError(code, `about ${code}`);
		const error = decodeWireError(wire);
		expect(ERROR_KINDS).toHaveProperty(error.kind);
		expect(error.cause).toBe(wire);
	}
});

it("tells what failed, but not what the gateway did wrong", () => {
	expect(decodeWireError(new WireError("connect-failed", "cannot connect to host: ECONNREFUSED")).detail).toContain(
		"ECONNREFUSED",
	);
	expect(decodeWireError(new WireError("bad-request", "Invalid character in header content")).detail).toBeUndefined();
});

it("takes anything thrown", () => {
	const known = new GatewayError("signed-out");
	expect(decodeThrown(known)).toBe(known);
	expect(decodeThrown(new WireError("aborted", "gone")).kind).toBe("cancelled");
	expect(decodeThrown(new TypeError("oops")).kind).toBe("internal");
	expect(decodeThrown("text").kind).toBe("internal");
});
