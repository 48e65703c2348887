import { expect, it } from "vitest";
import { longestWritten } from "../../test/kit/longest-written.ts";
import { emptyRequest, type TurnRequest } from "../turn/request.ts";
import { structuredOutputRule } from "./structured-output.ts";

const LIMIT = 128 * 1024;

const asking = (properties: number): TurnRequest => {
	const names = Array.from({ length: properties }, (_, index) => [`property${index}`, { type: "string" }]);
	const schema = { type: "object", properties: Object.fromEntries(names) };
	return {
		...emptyRequest("m"),
		output: { kind: "json-schema", name: "n", schema, strict: true, schemaParam: "response_format.schema" },
	};
};

const refusal = {
	kind: "invalid-request",
	message: "The JSON schema for the reply cannot be used: it has more than 128 thousand characters.",
	param: "response_format.schema",
};

it("refuses a schema that is far too long without writing it out", async () => {
	const refused = async () => expect(structuredOutputRule(asking(50_000))).rejects.toMatchObject(refusal);
	expect((await longestWritten(refused)).longest).toBeLessThan(LIMIT);
});

it("refuses a schema that is a little too long, and takes one that is not", async () => {
	await expect(structuredOutputRule(asking(4_500))).rejects.toMatchObject(refusal);
	expect(await structuredOutputRule(asking(40))).toMatchObject({ ownTool: "respond_with_json" });
});
