// Both spellings of every variant, tried with real runs on a backend that takes only one of them.
import { describe, expect, it } from "vitest";
import { isSpellingRefusal } from "../../src/upstream/catalog/names/spelling-refusal.ts";
import type { ModelCandidate } from "../../src/upstream/catalog/resolve-model.ts";
import { refusal } from "./refusal.ts";
import { accountFacts, emulator, http2, KeyTokens } from "./rig.ts";

async function setUp(form: "parameters" | "flattened", wrong: string) {
	const backend = await emulator({
		brain: "echo",
		switches: [`model-form=${form}`, `wrong-model-form=${wrong}`],
		requestLog: 0,
	});
	const tokens = new KeyTokens(backend.url);
	const { catalog } = accountFacts(backend.url, { tokens });
	const pool = http2();
	const token = await tokens.token();
	const ask = (candidate: ModelCandidate) => refusal(pool, new URL(backend.url), token, candidate);
	const { models } = await catalog.current();
	return { catalog, ask, models };
}

describe.each(["parameters", "flattened"] as const)("a backend that takes %s alone", (form) => {
	it.each(["resource-exhausted", "not-found"])(
		"runs every model and variant, if need be in the other spelling (%s)",
		async (wrong) => {
			const { catalog, ask, models } = await setUp(form, wrong);
			const names = models.flatMap(({ id, aliases, variants }) => [
				id,
				...aliases,
				...variants.map(({ slug }) => slug),
			]);
			expect(names.length).toBeGreaterThan(35);
			let respelt = 0;
			for (const name of new Set(names)) {
				const { candidates, model } = await catalog.resolve({ name });
				const [first, second] = candidates;
				const error = await ask(first);
				if (!error) continue;
				expect(isSpellingRefusal(error), name).toBe(true);
				expect(await ask(second!), name).toBeUndefined();
				await catalog.remember(model!.id, second!.spelling);
				respelt += 1;
			}
			// Once for each model that has variants, and never again for the same one.
			expect(respelt).toBe(form === "parameters" ? 0 : 5);
		},
	);

	it("runs every effort of every model", async () => {
		const { catalog, ask, models } = await setUp(form, "resource-exhausted");
		for (const { id } of models) {
			for (const effort of ["none", "low", "high", "xhigh"] as const) {
				const { candidates } = await catalog.resolve({ name: id, effort });
				const errors = await Promise.all(candidates.map(ask));
				expect(errors, `${id} ${effort}`).toContain(undefined);
			}
		}
	});
});

it("keeps the two spellings of every variant equal in meaning", async () => {
	const { catalog, models } = await setUp("parameters", "not-found");
	for (const { id, variants } of models) {
		for (const { slug, parameters } of variants) {
			const { candidates } = await catalog.resolve({ name: slug });
			const isDefaultId = slug === id && candidates[0].spelling === "plain";
			expect(candidates).toHaveLength(2);
			const spelt = candidates.map((candidate) => [candidate.modelId, candidate.parameters]);
			expect(spelt).toContainEqual([id, parameters]);
			expect(spelt).toContainEqual([isDefaultId ? id : slug, {}]);
		}
	}
});

it("does not take another refusal for a matter of spelling", async () => {
	const pool = http2();
	const backend = await emulator({
		accounts: { accounts: [{ id: "user_01BLOCKED", acceptAnyKey: true, blocked: "ERROR_PRO_USER_ONLY" }] },
	});
	const token = await new KeyTokens(backend.url).token();
	const candidate = { modelId: "default", parameters: {}, maxMode: false, spelling: "plain" as const };
	const error = await refusal(pool, new URL(backend.url), token, candidate);
	expect(error?.kind).toBe("plan-required");
	expect(isSpellingRefusal(error!)).toBe(false);
});
