import type { Picture } from "./dialects.ts";

/** PNGs of one pixel, which differ at the end. */
export const RED = picture("/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==");
export const BLUE = picture("NgYPj/HwADAgH/p6M8GQAAAABJRU5ErkJggg==");

function picture(end: string): Picture {
	const start = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8AA";
	return { mediaType: "image/png", data: Buffer.from(start + end, "base64") };
}
