import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { ASSET_HEADERS } from "../page-headers.ts";

/** A file of the page, ready to be sent. */
export interface Asset {
	type: string;
	etag: string;
	plain: Uint8Array;
	gzip: Uint8Array;
}

export function makeAsset(type: string, content: string | Uint8Array): Asset {
	const plain = Buffer.from(content as Uint8Array);
	const digest = createHash("sha256").update(plain).digest("base64url");
	return { type, etag: `"${digest.slice(0, 27)}"`, plain, gzip: gzipSync(plain, { level: 9 }) };
}

export function sendAsset({ method, headers }: IncomingMessage, response: ServerResponse, asset: Asset): void {
	const { type, etag, plain, gzip } = asset;
	if (isKnown(headers["if-none-match"], etag)) return void response.writeHead(304, { ...ASSET_HEADERS, etag }).end();
	const isZipped = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(headers["accept-encoding"] ?? ""));
	const bytes = isZipped ? gzip : plain;
	response.writeHead(200, {
		...ASSET_HEADERS,
		etag,
		"content-type": type,
		"content-length": bytes.length,
		...(isZipped && { "content-encoding": "gzip" }),
	});
	response.end(method === "HEAD" ? undefined : bytes);
}

function isKnown(header: string | undefined, etag: string): boolean {
	return header?.split(",").some((known) => known.trim().replace(/^W\//, "") === etag) ?? false;
}
