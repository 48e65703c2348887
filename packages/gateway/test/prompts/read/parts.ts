import { createHash } from "node:crypto";
import type { ClientImage, ClientMessage } from "../client-request.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of three APIs, read field by field
export type Json = any;

/** A message of parts in any of the three APIs' forms. Parts without a meaning for the model are left out. */
export function readMessage(role: ClientMessage["role"], content: Json): ClientMessage {
	const parts: Json[] = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
	const texts = parts.flatMap((part) => (typeof part.text === "string" ? [part.text] : []));
	return { role, texts: texts.filter((text) => text.trim() !== ""), images: parts.flatMap(readImage), calls: [] };
}

function readImage(part: Json): ClientImage[] {
	const { source } = part;
	if (part.type === "image" && source?.data) return [imageOf(`data:${source.media_type};base64,${source.data}`)];
	const url = part.image_url?.url ?? part.image_url;
	return typeof url === "string" ? [imageOf(url)] : [];
}

function imageOf(dataUrl: string): ClientImage {
	const data = Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
	return { dataUrl, sha256: createHash("sha256").update(data).digest("hex") };
}

export function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
