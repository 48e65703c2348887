import { constants } from "node:http2";
import { ErrorDetails_Error } from "@cursorwire/protocol/aiserver";
import { CODES } from "../rpc/failure.ts";

/** Says what is wrong with the value after `=`; undefined if it is right. */
type ValueRule = (value: string) => string | undefined;

const none: ValueRule = () => "takes no value";

const wholeNumber =
	(least: number, most: number): ValueRule =>
	(value) => {
		const number = value === "" ? Number.NaN : Number(value);
		const fits = Number.isInteger(number) && number >= least && number <= most;
		return fits ? undefined : `takes a whole number from ${least} to ${most}`;
	};

const oneOf =
	(...choices: string[]): ValueRule =>
	(value) =>
		choices.includes(value) ? undefined : `takes ${choices.join(", ")}`;

const http2Code: ValueRule = (value) =>
	`NGHTTP2_${value.toUpperCase()}` in constants ? undefined : "takes an HTTP/2 error code such as REFUSED_STREAM";

const connectCode: ValueRule = (value) => (value in CODES ? undefined : `takes ${Object.keys(CODES).join(", ")}`);

const failure: ValueRule = (value) => {
	const name = value.toUpperCase().replace(/^ERROR_/, "");
	return value in CODES || name in ErrorDetails_Error
		? undefined
		: "takes a Connect code such as unavailable, or the name of an error such as ERROR_RATE_LIMITED";
};

const address: ValueRule = (value) => (/^[\x21-\x7e]+$/.test(value) ? undefined : "takes an address");

const HOUR_MS = 3_600_000;
const status = wholeNumber(200, 599);

const RULES: Record<string, ValueRule> = {
	reset: http2Code,
	goaway: http2Code,
	"goaway-refuse": http2Code,
	delay: wholeNumber(0, HOUR_MS),
	latency: wholeNumber(0, HOUR_MS),
	bandwidth: wholeNumber(1, 1_000_000_000),
	slice: wholeNumber(1, 1_000_000),
	"empty-frame": wholeNumber(1, 100_000),
	"huge-length": wholeNumber(0, 0xffff_ffff),
	bomb: wholeNumber(1, 512),
	"reserved-flags": wholeNumber(0, 255),
	flood: wholeNumber(1, 1_000_000),
	error: failure,
	"bad-error": oneOf("null-code", "unknown-code", "no-message", "bad-details", "long-message", "not-json"),
	"error-trailers": connectCode,
	"http-trailers": connectCode,
	status,
	html: status,
	redirect: address,
};

/** What is wrong with the value of a fault; undefined if it is right. */
export function badValue(fault: string, value: string | undefined): string | undefined {
	return value === undefined ? undefined : (RULES[fault] ?? none)(value);
}
