// The list of models, as pickers of clients read it.
import { describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { runProgram, temporaryFolder } from "../kit/program.ts";

interface Listed {
	id: string;
	created: number;
	name: string;
	context_window: number | null;
	aliases: string[];
	variant_of?: string;
}

const ANTHROPIC = { "anthropic-version": "2023-06-01" };

async function get(gateway: TestGateway, path: string, headers: Record<string, string> = {}) {
	return JSON.parse(await (await gateway.fetch(path, { headers })).text());
}
const listOf = async (gateway: TestGateway): Promise<Listed[]> => (await get(gateway, "/v1/models")).data;

describe("the list of models", () => {
	it("has every variant under its own name, once, behind its model", async () => {
		const gateway = await startTestGateway();
		const models = await listOf(gateway);
		const ids = models.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(["gpt-5.4-codex", "gpt-5.4-codex-high", "gpt-5.4-codex-high-fast"]));
		expect(ids).toEqual(expect.arrayContaining(["claude-4.6-opus-thinking", "composer-2.5", "composer-2.5-fast"]));
		expect(models.find(({ id }) => id === "gpt-5.4-codex-high")).toMatchObject({
			...{ object: "model", owned_by: "cursor", name: "GPT-5.4 Codex High", context_window: 272_000 },
			...{ variant_of: "gpt-5.4-codex", variant_parameters: { reasoning: "high" } },
			capabilities: { tools: true, images: true, thinking: true },
		});
		expect(ids.indexOf("gpt-5.4-codex-high")).toBeGreaterThan(ids.indexOf("gpt-5.4-codex"));
		// Each of them can be asked for.
		for (const id of ["gpt-5.4-codex-high", "composer-2.5-fast", "claude-4.6-opus-high-thinking"]) {
			const messages = [{ role: "user", content: "hi" }];
			expect((await gateway.post("/v1/chat/completions", { model: id, messages })).status).toBe(200);
		}
	});

	it("has them in Anthropic's form too", async () => {
		const gateway = await startTestGateway();
		const { data } = await get(gateway, "/v1/models?limit=1000", ANTHROPIC);
		const ids = data.map(({ id }: Listed) => id);
		expect(ids).toEqual((await listOf(gateway)).map(({ id }) => id));
		expect(data.find(({ id }: Listed) => id === "claude-4.6-opus-thinking")).toMatchObject({
			...{ type: "model", display_name: "Opus 4.6 Thinking", max_input_tokens: 200_000 },
		});
	});

	it("has them in Codex's form too, with everything that Codex requires, and tells whether they are still the same", async () => {
		const gateway = await startTestGateway();
		const answer = await gateway.fetch("/v1/models?client_version=0.166.0");
		const { models }: { models: Record<string, unknown>[] } = JSON.parse(await answer.text());
		const shown = models.filter(({ visibility }) => visibility === "list");
		expect(shown.map(({ slug }) => slug)).toEqual((await listOf(gateway)).map(({ id }) => id));
		expect(new Set(models.map(({ slug }) => slug)).size).toBe(models.length);
		for (const model of models) {
			expect(model).toMatchObject({
				...{
					slug: expect.any(String),
					display_name: expect.any(String),
					base_instructions: expect.stringMatching(/./),
				},
				...{ shell_type: "default", supported_in_api: true, priority: expect.any(Number), support_verbosity: false },
				...{ truncation_policy: { mode: "tokens", limit: expect.any(Number) }, experimental_supported_tools: [] },
				...{ supported_reasoning_levels: expect.any(Array), context_window: expect.any(Number) },
			});
		}
		const bySlug = new Map(models.map((model) => [model.slug, model]));
		const efforts = (slug: string) =>
			(bySlug.get(slug)!.supported_reasoning_levels as { effort: string }[]).map(({ effort }) => effort);
		expect(bySlug.get("gpt-5.4-codex")).toMatchObject({ context_window: 272_000, input_modalities: ["text", "image"] });
		expect(efforts("gpt-5.4-codex")).toEqual(["low", "medium", "high", "xhigh"]);
		expect(efforts("gpt-5.4-codex-high")).toEqual([]);
		expect(bySlug.get("default")).toMatchObject({ visibility: "hide" });

		const etag = answer.headers.get("etag")!;
		const again = await gateway.fetch("/v1/models?client_version=0.166.0", { headers: { "if-none-match": etag } });
		expect([again.status, await again.text()]).toEqual([304, ""]);
	});

	it("has no variants in Codex's form where it would be too long for Codex, which then takes their models", async () => {
		const models = Array.from({ length: 50 }, (_, index) => {
			const id = `model-${index}`;
			const variants = ["", "-low", ..."abcdefgh"].map((suffix) => ({
				...{ slug: `${id}${suffix}`, displayName: id, parameters: { reasoning: suffix }, isDefault: suffix === "" },
			}));
			return { id, displayName: id, variants };
		});
		const accounts = { accounts: [{ id: "user_1", acceptAnyKey: true }], models };
		const gateway = await startTestGateway({ emulator: { accounts } });
		expect(await listOf(gateway)).toHaveLength(500);
		const text = await (await gateway.fetch("/v1/models?client_version=0.166.0")).text();
		expect(Buffer.byteLength(text)).toBeLessThan(1 << 20);
		expect(JSON.parse(text).models.map(({ slug }: { slug: string }) => slug)).toEqual(models.map(({ id }) => id));
	});

	it("has one entry for the automatic model, which can be asked for by both of its names", async () => {
		const gateway = await startTestGateway();
		const automatic = (await listOf(gateway)).filter(({ id, aliases }) =>
			[id, ...aliases].some((name) => name === "auto" || name === "default"),
		);
		expect(automatic).toMatchObject([{ id: "auto", aliases: ["default"] }]);
		for (const name of ["auto", "default"]) {
			expect(await get(gateway, `/v1/models/${name}`)).toMatchObject({ id: name, object: "model" });
			const body = { model: name, messages: [{ role: "user", content: "hi" }] };
			expect((await gateway.post("/v1/chat/completions", body)).status).toBe(200);
		}
	});

	it.each(["default", "auto"])(
		"lists the automatic model once where it has a variant %s, as other models do",
		async (slug) => {
			const variants = [{ slug, displayName: "Auto", parameters: {}, isDefault: true }];
			const models = [
				{ id: "default", displayName: "Auto", variants },
				{ id: "composer-1", displayName: "Composer 1" },
			];
			const accounts = { accounts: [{ id: "user_1", acceptAnyKey: true }], models };
			const gateway = await startTestGateway({ emulator: { accounts } });
			expect((await listOf(gateway)).map(({ id }) => id)).toEqual(["auto", "composer-1"]);
			const { data } = await get(gateway, "/v1/models", ANTHROPIC);
			expect(data.map(({ id }: Listed) => id)).toEqual(["auto", "composer-1"]);
			const env = { CURSORWIRE_UPSTREAM: gateway.emulator.url, CURSOR_API_KEY: "key_x", HOME: temporaryFolder() };
			const { out } = await runProgram(["models"], env);
			expect(out.match(/\b(auto|default)\b/g)).toEqual(["auto"]);
		},
	);

	it("tells since when each model is known, the same after a restart", async () => {
		const before = Math.floor(Date.now() / 1000);
		const gateway = await startTestGateway();
		const models = await listOf(gateway);
		for (const { created } of models) {
			expect(created).toBeGreaterThanOrEqual(before);
			expect(created).toBeLessThanOrEqual(Date.now() / 1000);
		}
		await gateway.gateway.close();
		const again = await startTestGateway({ settings: { dataDir: gateway.dataDir, upstream: gateway.emulator.url } });
		expect(await listOf(again)).toEqual(models);
		const created = models.find(({ id }) => id === "claude-4.6-opus")!.created * 1000;
		const { created_at } = await get(again, "/v1/models/claude-4.6-opus", ANTHROPIC);
		expect(Math.floor(Date.parse(created_at) / 1000) * 1000).toBe(created);
	});

	it("describes a variant by its own name", async () => {
		const gateway = await startTestGateway();
		const listed = (await listOf(gateway)).find(({ id }) => id === "gpt-5.4-high");
		expect(await get(gateway, "/v1/models/gpt-5.4-high")).toEqual(listed);
	});
});
