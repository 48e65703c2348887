// What a setting can take: how a value is read, and the JSON schema for the same value in config.json.
import { resolve } from "node:path";

/** Returns the value that the program uses, or throws an error that says what the setting takes. */
export interface Parser<T> {
	(value: unknown): T;
	/**
	 * The schema of the values that are accepted. It leaves out that everything may also be written as text, as in
	 * environment variables, and it cannot tell whether a URL is valid in all its parts.
	 */
	schema: object;
}

const parser = <T>(schema: object, parse: (value: unknown) => T): Parser<T> => Object.assign(parse, { schema });

export const text = parser({ type: "string" }, string);

function string(value: unknown): string {
	if (typeof value !== "string") throw new Error("takes a string");
	return value;
}

/** The path does not depend on the folder that a later command is started in. */
export const folder = parser({ type: "string", minLength: 1 }, (value) => {
	if (value === "") throw new Error("takes the path of a folder, not an empty text");
	return resolve(string(value));
});

export const url = parser({ type: "string", pattern: "^\\s*[Hh][Tt][Tt][Pp][Ss]?:" }, (value) => {
	const given = string(value);
	const parsed = URL.canParse(given) ? new URL(given) : undefined;
	if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:")
		throw new Error(`"${given}" is not an http or https URL`);
	return parsed.href.replace(/\/$/, "");
});

const ORIGINS = "^[\\s,]*(https?://[^\\s,/]+\\s*(,[\\s,]*|$))*$";

/** Each origin in the form that browsers send, so that texts can be compared. A star would admit every page. */
export const origins = parser({ type: "string", pattern: ORIGINS }, (value) => {
	const list = string(value)
		.split(",")
		.flatMap((origin) => origin.trim() || []);
	for (const origin of list) {
		const isOrigin = /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
		if (!isOrigin) throw new Error(`takes origins such as http://localhost:3000, not "${origin}"`);
	}
	return list.join(",");
});

/** The error does not quote the value, as it may contain a password. A query would set options of the driver. */
export const redisUrl = parser({ type: "string", pattern: "^$|^\\s*[Rr][Ee][Dd][Ii][Ss][Ss]?://" }, (value) => {
	const given = string(value);
	if (given === "") return "";
	const parsed = URL.canParse(given) ? new URL(given) : undefined;
	const { protocol = "", hostname = "", pathname = "", search = "", hash = "" } = parsed ?? {};
	const isRedis = protocol === "redis:" || protocol === "rediss:";
	if (!isRedis || hostname === "" || !/^(\/\d*)?$/.test(pathname) || search !== "" || hash !== "") {
		throw new Error(
			"takes redis://user:password@host:port/number; only the scheme (redis or rediss) and the host are required",
		);
	}
	return parsed!.href;
});

export const flag = parser({ type: "boolean" }, (value) => {
	if (typeof value === "boolean") return value;
	if (value === "1" || value === "true") return true;
	if (value === "0" || value === "false") return false;
	throw new Error(`takes true or false, not "${value}"`);
});

export function wholeNumber(least: number, most: number): Parser<number> {
	return parser({ type: "integer", minimum: least, maximum: most }, (value) => {
		const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
		if (typeof number !== "number" || !Number.isInteger(number) || number < least || number > most) {
			throw new Error(`takes a whole number from ${least} to ${most}, not "${value}"`);
		}
		return number;
	});
}

export function oneOf<T extends string>(values: readonly T[]): Parser<string> {
	return parser({ enum: values }, (value) => {
		if (!values.includes(value as T)) throw new Error(`takes ${values.join(", ")}, not "${value}"`);
		return value as T;
	});
}

/** An object of strings, or the same in one line: `claude-haiku-*=composer-1,fast=gpt-5.4`. */
export const stringMap = parser({ type: "object", additionalProperties: { type: "string" } }, readMap);

export function mapOf(parse: Parser<string>): Parser<Record<string, string>> {
	return parser({ type: "object", additionalProperties: parse.schema }, (value) =>
		Object.fromEntries(Object.entries(readMap(value)).map(([name, target]) => [name, parse(target)])),
	);
}

function readMap(value: unknown): Record<string, string> {
	if (typeof value === "string") return pairs(value);
	const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
	const entries = isObject ? Object.entries(value) : undefined;
	if (!entries?.every(([, target]) => typeof target === "string")) throw new Error("takes an object of strings");
	return Object.fromEntries(entries);
}

function pairs(line: string): Record<string, string> {
	return Object.fromEntries(
		line.split(",").map((pair) => {
			const [name = "", target = "", ...rest] = pair.split("=").map((text) => text.trim());
			if (name === "" || target === "" || rest.length > 0) throw new Error(`takes name=value, not "${pair.trim()}"`);
			return [name, target];
		}),
	);
}
