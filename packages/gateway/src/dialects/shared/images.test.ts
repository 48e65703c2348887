import { describe, expect, it } from "vitest";
import { GatewayError } from "../../turn/error.ts";
import { decodeImage, decodeImageUrl } from "./images.ts";
import { MAX_IMAGE_BYTES } from "./limits.ts";

const PNG = Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1");
const JPEG = Buffer.from("\xff\xd8\xff\xe0 and more", "latin1");
const GIF = Buffer.from("GIF89a and more", "latin1");
const WEBP = Buffer.from("RIFF\x10\0\0\0WEBPVP8 and more", "latin1");
const dataUrl = (type: string, data: Buffer) => `data:${type};base64,${data.toString("base64")}`;

function refusal(url: string): string {
	try {
		decodeImageUrl(url, "messages[0].content[1].image_url.url");
	} catch (error) {
		expect(error).toBeInstanceOf(GatewayError);
		expect(error).toMatchObject({ kind: "image-refused", status: 400, param: "messages[0].content[1].image_url.url" });
		return (error as GatewayError).message;
	}
	return "none";
}

describe("decodeImageUrl", () => {
	it.each([
		["PNG", dataUrl("image/png", PNG), "image/png", PNG],
		["JPEG", dataUrl("image/jpeg", JPEG), "image/jpeg", JPEG],
		["GIF", dataUrl("image/gif", GIF), "image/gif", GIF],
		["WebP", dataUrl("image/webp", WEBP), "image/webp", WEBP],
		["a type that nobody registered", dataUrl("image/jpg", JPEG), "image/jpeg", JPEG],
		["a type that is wrong", dataUrl("image/png", JPEG), "image/jpeg", JPEG],
		["no type", dataUrl("", PNG), "image/png", PNG],
		["capitals and parameters", `DATA:Image/PNG;name=a;Base64,${PNG.toString("base64")}`, "image/png", PNG],
		["base64 for URLs, without padding", `data:image/png;base64,${PNG.toString("base64url")}`, "image/png", PNG],
		["lines", `data:image/png;base64,${PNG.toString("base64").replace(/.{8}/g, "$&\r\n")}`, "image/png", PNG],
	])("takes %s", (_name, url, mediaType, data) => {
		const image = decodeImageUrl(url, "x");
		expect(image).toMatchObject({ type: "image", mediaType });
		expect(Buffer.compare(image.data, data)).toBe(0);
	});

	it.each(["http://127.0.0.1/a.png", "https://example.com/a.png"])("keeps %s as the link that it is", (url) => {
		expect(decodeImageUrl(url, "x")).toMatchObject({ type: "image", link: { url, param: "x" } });
	});

	it.each([
		["no URL", "https://", "The gateway does not fetch images from URLs."],
		["file", "file:///etc/passwd", "The gateway does not fetch images from URLs."],
		["nothing", "", "The gateway does not fetch images from URLs."],
		["no base64", "data:image/svg+xml,<svg/>", "The data URL is not in base64."],
		["no comma", "data:image/png;base64", "The data URL is not in base64."],
		["no bytes", "data:image/png;base64,", "The image is empty."],
		["letters outside base64", "data:image/png;base64,!!!!", "The image is not valid base64."],
		[
			"a million blanks before them",
			`data:image/png;base64,${" ".repeat(1_000_000)}!`,
			"The image is not valid base64.",
		],
		["padding in the middle", "data:image/png;base64,iV==BORw", "The image is not valid base64."],
		["SVG", dataUrl("image/svg+xml", Buffer.from("<svg/>")), "The image is not PNG, JPEG, GIF or WebP."],
		["text", dataUrl("image/png", Buffer.from("hello")), "The image is not PNG, JPEG, GIF or WebP."],
	])("refuses %s", (_name, url, message) => {
		expect(refusal(url)).toBe(message);
	});

	it("refuses what is larger than the limit, by one byte and by far", () => {
		const message = "The image is larger than 20 MiB.";
		const large = Buffer.concat([PNG, Buffer.alloc(MAX_IMAGE_BYTES + 1 - PNG.length)]);
		expect(decodeImage(large.subarray(0, MAX_IMAGE_BYTES).toString("base64"), "x").data).toHaveLength(MAX_IMAGE_BYTES);
		expect(refusal(dataUrl("image/png", large))).toBe(message);
		expect(refusal(`data:image/png;base64,${"A".repeat(MAX_IMAGE_BYTES * 2)}`)).toBe(message);
	});
});
