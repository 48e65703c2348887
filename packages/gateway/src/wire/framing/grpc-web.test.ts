import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WireError } from "../errors.ts";
import { parseGrpcTrailers } from "./grpc-web.ts";

const parse = (text: string) => parseGrpcTrailers(Buffer.from(text));

describe("the end of a grpc-web stream", () => {
	it("reads success, whatever else stands there", () => {
		expect(parse("grpc-status: 0\r\nX-Other: a\r\nx-other:b\r\n")).toEqual({
			metadata: { "grpc-status": ["0"], "x-other": ["a", "b"] },
		});
	});

	it("reads an error with its message and its details", () => {
		const any = Buffer.concat([Buffer.from([0x0a, 1]), Buffer.from("T"), Buffer.from([0x12, 2, 7, 8])]);
		const status = Buffer.concat([
			Buffer.from([0x08, 9, 0x12, 1]),
			Buffer.from("m"),
			Buffer.from([0x1a, any.length]),
			any,
		]);
		const { error } = parse(
			`grpc-status: 9\r\ngrpc-message: Error%20%C3%A4\r\ngrpc-status-details-bin: ${status.toString("base64")}\r\n`,
		);
		expect(error).toEqual({
			code: "failed_precondition",
			message: "Error ä",
			details: [{ type: "T", value: Buffer.from([7, 8]) }],
		});
	});

	it("an error stays an error, however broken the rest is", () => {
		const { error } = parse("grpc-status: 99\ngrpc-message: 100%\ngrpc-status-details-bin: //////\n");
		expect(error).toEqual({ code: "unknown", message: "100%", details: [] });
	});

	it("is no end without a status", () => {
		for (const text of ["", "grpc-message: x\r\n", "grpc-status: ok\r\n"]) expect(() => parse(text)).toThrow(WireError);
	});

	it("gives an end or a WireError for any bytes", () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
				try {
					parseGrpcTrailers(bytes);
				} catch (error) {
					expect(error).toBeInstanceOf(WireError);
				}
			}),
		);
	});
});
