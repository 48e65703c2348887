import type { TestGatewayOptions } from "../kit/gateway.ts";

export interface Way {
	name: string;
	settings: NonNullable<TestGatewayOptions["settings"]>;
	hasTools: boolean;
	/** Whether a result that goes into an open stream can hold an image. */
	hasResultImages: boolean;
	hasCheckpoints: boolean;
}

const agent = { hasTools: true, hasResultImages: true, hasCheckpoints: true };
const unified = { hasTools: true, hasResultImages: false, hasCheckpoints: false };
const legacy = { hasTools: false, hasResultImages: false, hasCheckpoints: false };

/** The ways by which a prompt reaches Cursor. */
export const WAYS: readonly Way[] = [
	{ name: "agent over HTTP/2", settings: { http1: false }, ...agent },
	{ name: "agent over HTTP/1.1", settings: { http1: true }, ...agent },
	{ name: "unified over HTTP/2", settings: { protocol: "unified", http1: false }, ...unified },
	{ name: "unified over HTTP/1.1", settings: { protocol: "unified", http1: true }, ...unified },
	{ name: "legacy", settings: { protocol: "legacy" }, ...legacy },
];
