import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { LiveReader } from "./live-reader.ts";

/** A response whose reader takes nothing until the test says so. */
class SlowResponse extends EventEmitter {
	readonly written: string[] = [];
	isSlow = false;
	isDestroyed = false;
	writeHead = () => this;
	flushHeaders = () => {};
	write = (text: string) => {
		this.written.push(text);
		return !this.isSlow;
	};
	destroy = () => {
		this.isDestroyed = true;
	};
}

function setUp() {
	const response = new SlowResponse();
	let version = 0;
	const reader = new LiveReader(response as unknown as ServerResponse, "s", () => `snapshot ${version}`);
	const change = () => reader.take(`change ${++version}`);
	return { response, reader, change };
}

it("sends a page nothing before it has begun, and every change afterwards", () => {
	const { response, reader, change } = setUp();
	change();
	reader.begin(undefined);
	change();
	expect(response.written).toEqual(["snapshot 1", "change 2"]);
});

it("keeps nothing for a page that is too slow, and then sends it one snapshot", () => {
	const { response, reader, change } = setUp();
	reader.begin([]);
	response.isSlow = true;
	for (let count = 0; count < 100; count++) change();
	reader.beat();
	expect(response.written).toEqual(["change 1"]);
	response.isSlow = false;
	response.emit("drain");
	change();
	expect(response.written).toEqual(["change 1", "snapshot 100", "change 101"]);
});

it("gives up a page that takes nothing for a minute", () => {
	const { response, reader, change } = setUp();
	reader.begin([]);
	response.isSlow = true;
	change();
	for (let beats = 0; beats < 3; beats++) reader.beat();
	expect(response.isDestroyed).toBe(false);
	reader.beat();
	expect(response.isDestroyed).toBe(true);
});
