import { createHash } from "node:crypto";
import type { CallResult, ImagePart, Message, ToolResultPart } from "../brains/brain.ts";
import { estimateTokens } from "../token-usage/estimate-tokens.ts";
import type { ShownEntry, ShownImage, ShownPart, ShownResult, ShownText } from "./prompt.ts";

/** A message as it is shown: images by size and hash, all other parts with their tokens. */
export function showEntry({ role, content }: Message): ShownEntry {
	return entryOf(role, content.map(showPart));
}

export function entryOf(role: Message["role"], parts: ShownPart[]): ShownEntry {
	return { role, parts, tokens: sum(parts) };
}

function showPart(part: Message["content"][number]): ShownPart {
	switch (part.type) {
		case "text":
		case "reasoning":
			return showText(part.text, part.type);
		case "image":
			return showImage(part);
		case "tool-call":
			return showCall(part.toolName, part.args);
		case "tool-result":
			return resultOf(part.toolName, resultParts(part), part.isError ?? false);
	}
}

export function showText(text: string, type: ShownText["type"] = "text"): ShownText {
	return { type, text, tokens: estimateTokens(text) };
}

function showImage({ mediaType, data }: ImagePart): ShownImage {
	return { type: "image", mediaType, bytes: data.length, sha256: createHash("sha256").update(data).digest("hex") };
}

export function showCall(toolName: string, args: unknown): ShownPart {
	return { type: "tool-call", toolName, args, tokens: estimateTokens(toolName + (JSON.stringify(args) ?? "")) };
}

/** The result of a call that the model made in this run. */
export function showCallResult(toolName: string, { content, text, isError }: CallResult): ShownResult {
	const parts = content.map((part) => (part.type === "text" ? showText(part.text) : showImage(part)));
	return resultOf(toolName, parts.length > 0 ? parts : [showText(text)], isError);
}

export function resultOf(toolName: string, parts: ShownResult["parts"], isError: boolean): ShownResult {
	return { type: "tool-result", toolName, isError, parts, tokens: sum(parts) };
}

/** A result in the history is a text, or a list of parts. */
function resultParts({ result, images = [] }: ToolResultPart): ShownResult["parts"] {
	const texts = isTextList(result) ? result.map(({ text }) => text) : [asText(result)];
	return [...texts.map((text) => showText(text)), ...images.map(showImage)];
}

function isTextList(result: unknown): result is { text: string }[] {
	return Array.isArray(result) && result.every((part) => part?.type === "text" && typeof part.text === "string");
}

function asText(result: unknown): string {
	return typeof result === "string" ? result : (JSON.stringify(result) ?? "");
}

export function sum(parts: readonly (ShownPart | { tokens: number })[]): number {
	return parts.reduce((total, part) => total + ("tokens" in part ? part.tokens : 0), 0);
}
