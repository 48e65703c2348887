import { GatewayError } from "../../turn/error.ts";
import { linkRefused } from "../../turn/linked-images.ts";
import type { ImagePart } from "../../turn/request.ts";
import { MAX_IMAGE_BYTES } from "./limits.ts";

const MAX_HEADER_LENGTH = 256;
const MOST_PADDING = 2;
/** Two plain searches: one pattern for the whole would go back and forth over megabytes of blanks. */
const NOT_BASE64 = /[^A-Za-z0-9+/_=\s-]/;
const MORE_THAN_PADDING = /[^=\s]/;

/** How files of each type begin. */
const SIGNATURES: readonly (readonly [mediaType: string, offset: number, beginning: string])[] = [
	["image/png", 0, "\x89PNG\r\n\x1a\n"],
	["image/jpeg", 0, "\xff\xd8\xff"],
	["image/gif", 0, "GIF8"],
	["image/webp", 8, "WEBP"],
];

/** The image of a data URL, or a link to one on the web. The gateway fetches nothing for a client. */
export function decodeImageUrl(url: string, param: string): ImagePart {
	if (isWebUrl(url)) return { type: "image", mediaType: "", data: Buffer.from(url), link: { url, param } };
	if (!/^data:/i.test(url)) throw linkRefused(param);
	const comma = url.indexOf(",");
	const header = comma < 0 || comma > MAX_HEADER_LENGTH ? "" : url.slice("data:".length, comma).toLowerCase();
	if (!header.endsWith(";base64")) throw refused(param, "The data URL is not in base64.");
	return decodeImage(url.slice(comma + 1), param);
}

/**
 * The image in a base64 text. Its type is read from its first bytes, because the type that clients name is often
 * wrong, and a wrong one is an error upstream.
 */
export function decodeImage(base64: string, param: string): ImagePart {
	if (base64.length > MAX_IMAGE_BYTES * 1.4) throw refused(param, TOO_LARGE);
	const data = Buffer.from(base64, "base64");
	if (!isWhole(base64, data.length) && !isBase64(base64)) throw refused(param, "The image is not valid base64.");
	if (data.length === 0) throw refused(param, "The image is empty.");
	if (data.length > MAX_IMAGE_BYTES) throw refused(param, TOO_LARGE);
	const signature = SIGNATURES.find(([, offset, beginning]) => startsWith(data, offset, beginning));
	if (!signature) throw refused(param, "The image is not PNG, JPEG, GIF or WebP.");
	return { type: "image", mediaType: signature[0], data };
}

const isWebUrl = (url: string) => /^https?:\/\/\S+$/i.test(url) && URL.canParse(url);

const TOO_LARGE = `The image is larger than ${MAX_IMAGE_BYTES / 1024 / 1024} MiB.`;

/** Decoding skips invalid characters, so if no byte is missing there were none. Checking each one would be slower. */
function isWhole(text: string, bytes: number): boolean {
	const padding = text.indexOf("=", text.length - MOST_PADDING);
	const letters = padding < 0 ? text.length : padding;
	return letters % 4 !== 1 && Math.floor((letters * 3) / 4) === bytes && !text.slice(letters).replaceAll("=", "");
}

function isBase64(text: string): boolean {
	const padding = text.indexOf("=");
	return !NOT_BASE64.test(text) && (padding < 0 || !MORE_THAN_PADDING.test(text.slice(padding)));
}

function startsWith(data: Buffer, offset: number, beginning: string): boolean {
	return data.toString("latin1", offset, offset + beginning.length) === beginning;
}

function refused(param: string, sentence: string): GatewayError {
	return new GatewayError("image-refused", sentence, { param });
}
