import { type Soon, soon } from "../../time/soon.ts";
import type { CollectedTurn } from "../../turn/collect.ts";
import type { Dialect, DialectContext, DialectTurn } from "../dialect.ts";
import { summaryTurn } from "./compaction.ts";
import { readRequest, responsesDialect } from "./dialect.ts";
import { encodeItems } from "./encode.ts";
import { encodeResponsesError } from "./errors.ts";
import { toResponseUsage } from "./finish.ts";
import { toInputItem } from "./stored-response.ts";

/** `POST /v1/responses/compact`: a compaction as a request of its own, which is answered as a whole. */
export const compactDialect: Dialect = {
	...responsesDialect,
	path: `${responsesDialect.path}/compact`,
	read: readCompact,
};

function readCompact(body: unknown, context: DialectContext): Soon<DialectTurn> {
	return soon(readRequest(withTrigger(body), context), ({ request, sealer }): DialectTurn => {
		const { turn, input, callForms, encryptedReasoning } = request;
		const baseId = context.newId();
		const created = Math.floor(context.now() / 1000);
		const whole = (only: CollectedTurn) => ({
			id: `resp_${baseId}`,
			object: "response.compaction",
			created_at: created,
			output: [
				...input.map((item, index) => toInputItem(item, `${baseId}_in${index}`)),
				...encodeItems(summaryTurn(only).content, { baseId, callForms, encryptedReasoning, sealer }),
			],
			usage: toResponseUsage(only.usage),
		});
		return {
			dialect: responsesDialect.name,
			turn,
			stream: false,
			choices: 1,
			encoder: () => {
				throw new Error("A compaction of this form is not streamed.");
			},
			whole: ([only]) => whole(only as CollectedTurn),
			error: encodeResponsesError,
		};
	});
}

/** The body as an ordinary request that asks for a compaction. One that is not valid stays so. */
function withTrigger(body: unknown): unknown {
	if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
	const { input } = body as { input?: unknown };
	const items = typeof input === "string" ? [{ type: "message", role: "user", content: input }] : (input ?? []);
	return Array.isArray(items) ? { ...body, input: [...items, { type: "compaction_trigger" }] } : body;
}
