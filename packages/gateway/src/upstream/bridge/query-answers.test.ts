import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { InteractionQuerySchema, InteractionResponseSchema } from "@cursorwire/protocol/agent";
import { describe, expect, it } from "vitest";
import { defaultQueryAnswer } from "./query-answers.ts";

const QUERIES = InteractionQuerySchema.oneofs.find(({ name }) => name === "query")!.fields;
const answerFields = new Map(InteractionResponseSchema.fields.map((field) => [field.localName, field.number]));

function answer(localName: string, approveWeb?: boolean) {
	const init = { query: { case: localName, value: {} } } as Parameters<typeof create<typeof InteractionQuerySchema>>[1];
	const result = defaultQueryAnswer(create(InteractionQuerySchema, init), { approveSearch: approveWeb });
	const bytes = toBinary(InteractionResponseSchema, create(InteractionResponseSchema, { id: 1, result }));
	return fromBinary(InteractionResponseSchema, bytes).result;
}

describe("defaultQueryAnswer", () => {
	it.each(QUERIES.map(({ localName, number }) => [localName, number] as const))(
		"answers %s in its own field",
		(localName, number) => {
			const result = answer(localName);
			expect(answerFields.get(result.case ?? "")).toBe(number);
			expect(JSON.stringify(result.value)).toMatch(/"case":"(rejected|error|failure|success)"/);
		},
	);

	it("lets Cursor search, which spends quota, only when told so", () => {
		const no = answer("webSearchRequestQuery").value as { result: { case: string; value: { reason: string } } };
		expect(no.result.case).toBe("rejected");
		expect(no.result.value.reason).not.toBe("");
		expect(answer("webSearchRequestQuery", true).value).toMatchObject({ result: { case: "approved" } });
	});

	it.each([
		"webFetchRequestQuery",
		"askQuestionInteractionQuery",
		"switchModeRequestQuery",
		"mcpAuthRequestQuery",
		"generateImageRequestQuery",
	])("%s stays refused with the search approved", (localName) =>
		expect(JSON.stringify(answer(localName, true).value)).toContain('"case":"rejected"'),
	);

	it("answers an unknown query with nothing", () => {
		expect(defaultQueryAnswer(create(InteractionQuerySchema, { id: 3 }))).toEqual({ case: undefined });
	});
});
