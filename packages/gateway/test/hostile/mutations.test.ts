// B6: valid bodies with something wrong at any place.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DIALECT_FORMS, type DialectForm } from "../kit/hostile/dialect-forms.ts";
import type { RawClient, RawResponse } from "../kit/hostile/raw-client.ts";
import { useRig } from "../kit/hostile/rig.ts";
import { changed, pathsOf, REMOVED } from "../kit/hostile/wrong-values.ts";

const rig = useRig();

const wrong = fc.oneof(
	fc.constantFrom<unknown>(REMOVED, null, true, 0, -1, 1.5, 1e21, "", "x", "\r\n\0", [], [null], [[[]]], {}, [5]),
	fc.constantFrom<unknown>(
		"__proto__",
		{ __proto__: null, constructor: 1 },
		"\ud800",
		"a".repeat(5000),
		Array(600).fill({}),
	),
	fc.jsonValue({ maxDepth: 2 }),
);

/** One connection for all: a refusal must leave it usable. */
function asker(path: string): { ask(body: unknown): Promise<RawResponse>; close(): void } {
	let client: RawClient | undefined;
	return {
		async ask(body) {
			client ??= await rig.open();
			client.send(rig.post(path, body));
			return client.response();
		},
		close: () => client?.close(),
	};
}

/** Answered, or refused with the name of the place; or right in itself, and asking for what is not to be had. */
function judge(form: DialectForm, response: RawResponse): void {
	if (response.status === 200) return;
	const place = form.refusal(response, 400, 404, 502);
	if (response.status === 400) expect(place, response.body).toMatch(/^[a-z]\w*/);
	else expect(response.body).toMatch(/no such model|does not fit|names nothing that is stored/);
}

describe.each(DIALECT_FORMS)("B6: a body of $path with something wrong in it", (form) => {
	const valid = form.elaborate;
	const paths = [...pathsOf(valid)];

	it("is valid to begin with", async () => {
		const { status, body } = await rig.answerTo(rig.post(form.path, valid));
		expect(status, body).toBe(200);
	});

	it("is answered or refused by name, whichever field has whichever type", async () => {
		const { ask, close } = asker(form.path);
		for (const path of paths) {
			for (const value of [REMOVED, null, 5, "", {}, [5]]) judge(form, await ask(changed(valid, path, value)));
		}
		close();
	});

	it("is answered or refused by name, with several things wrong", async () => {
		const { ask, close } = asker(form.path);
		const mutation = fc.record({ path: fc.constantFrom(...paths), value: wrong });
		const property = fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (mutations) => {
			const body = mutations.reduce((before, { path, value }) => changed(before, path, value), valid as unknown);
			judge(form, await ask(body));
		});
		await fc.assert(property, { numRuns: 250 });
		close();
	});

	it("is refused where it is no object", async () => {
		for (const body of ["null", "5", '"x"', "[]", "true", "[{}]", "{}"]) {
			form.refusal(await rig.answerTo(rig.post(form.path, body)), 400);
		}
	});
});
