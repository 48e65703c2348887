import { describe, expect, it } from "vitest";
import { type ClientIdentity, machineIdFrom, olderHeaders, restHeaders, runHeaders, unaryHeaders } from "./identity.ts";

const identity: ClientIdentity = { clientType: "cli", clientVersion: "cli-1" };
const facts = { token: "t", ghostMode: true, requestId: "r", now: 1_700_000_000_000 };

describe("headers", () => {
	it("of a unary call are those of the lean client", () => {
		expect(unaryHeaders(identity, facts)).toEqual({
			authorization: "Bearer t",
			"connect-protocol-version": "1",
			"content-type": "application/proto",
			"accept-encoding": "gzip,br",
			"user-agent": "connect-es/1.6.1",
			"x-cursor-client-type": "cli",
			"x-cursor-client-version": "cli-1",
			"x-ghost-mode": "true",
			"x-request-id": "r",
		});
	});

	it("of a run keep the first request id and take the tools", () => {
		const headers = runHeaders(identity, { ...facts, originalRequestId: "o", allowedTools: "mcp_tool_call" });
		expect(headers).toMatchObject({
			"content-type": "application/connect+proto",
			"connect-accept-encoding": "gzip,br",
			"x-request-id": "r",
			"x-original-request-id": "o",
			"x-cursor-agent-allowed-tools": "mcp_tool_call",
		});
		expect(headers).not.toHaveProperty("accept-encoding");
		expect(headers).not.toHaveProperty("x-cursor-checksum");
	});

	it("of the older protocols are the editor's, without those of a framing", () => {
		const editor = { clientType: "ide", clientVersion: "2.0.77", checksum: { form: "given" as const, value: "mine" } };
		expect(olderHeaders(editor, { ...facts, timeZone: "Europe/Oslo" })).toEqual({
			authorization: "Bearer t",
			"user-agent": "connect-es/1.6.1",
			"x-cursor-client-type": "ide",
			"x-cursor-client-version": "2.0.77",
			"x-ghost-mode": "true",
			"x-request-id": "r",
			"x-cursor-checksum": "mine",
			"x-cursor-timezone": "Europe/Oslo",
			"x-client-key": machineIdFrom("t"),
			"x-amzn-trace-id": "Root=r",
		});
	});

	it("of the REST API carry the key and no request id", () => {
		const headers = restHeaders(identity, { apiKey: "key", ghostMode: false });
		expect(headers).toMatchObject({ authorization: "Bearer key", "x-ghost-mode": "false" });
		expect(headers).not.toHaveProperty("x-request-id");
	});

	it("hold a checksum only where the identity has one, in the wanted form", () => {
		const machine = { machineId: machineIdFrom("seed") };
		const run = (form: "machine" | "token") =>
			runHeaders({ ...identity, checksum: { form, machine } }, { ...facts, originalRequestId: "o" })[
				"x-cursor-checksum"
			];
		expect(run("machine")).toMatch(new RegExp(`^.{8}${machine.machineId}$`));
		expect(run("token")).toMatch(/^.{8}00000000\/[0-9a-f]{8}$/);
	});
});

it("makes one machine id of one seed", () => {
	expect(machineIdFrom("seed")).toBe(machineIdFrom("seed"));
	expect(machineIdFrom("seed")).toMatch(/^[0-9a-f]{64}$/);
	expect(machineIdFrom("seed")).not.toBe(machineIdFrom("other"));
});
