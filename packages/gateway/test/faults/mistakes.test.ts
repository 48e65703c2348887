// O6: mistakes of the program itself. A turn that meets one fails alone; what nobody caught ends the process, cleanly.
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonBodyParser } from "../../src/dialects/json/json-body.ts";
import { dialectOf } from "../../src/routes/dialects.ts";
import { GatewayServer } from "../../src/server/server.ts";
import { DEFAULT_SERVER_LIMITS } from "../../src/server/server-limits.ts";
import { until } from "../kit/cleanup.ts";
import { say } from "../kit/hostile/rig.ts";
import { serveHeldAnswer, WHOLE_ANSWER } from "./held-answer.ts";

const FAULTY = fileURLToPath(new URL("./faulty.mjs", import.meta.url));

describe("O6: what nobody caught", () => {
	it.each(["timer", "listener", "rejection"])(
		"in a %s is told, lets open answers end, and ends with 1",
		async (fault) => {
			const { emulator, ask, program, answer, release } = await serveHeldAnswer(FAULTY, { FAULT: fault });
			program.child.kill("SIGUSR2");
			let status = 200;
			while (status === 200) {
				const refusal = await ask(say("hello", { stream: false }));
				status = refusal.status;
				await refusal.text();
			}
			expect(status).toBe(503);
			release();
			expect(await answer.text()).toMatch(WHOLE_ANSWER);
			const { code, err } = await program.ended;
			expect(code).toBe(1);
			expect(err).toContain("cursorwire made a mistake: boom of the test");
			expect(err).not.toMatch(/^\s+at /m);
			await until(() => emulator.stats().streams.open === 0);
		},
	);

	it("a second time ends at once", async () => {
		const { ask, program, answer } = await serveHeldAnswer(FAULTY, { FAULT: "timer" });
		program.child.kill("SIGUSR2");
		while ((await ask(say("hello", { stream: true }))).status === 200);
		program.child.kill("SIGUSR2");
		expect((await program.ended).code).toBe(1);
		await expect(answer.text()).rejects.toThrow();
	});
});

describe("O6: a mistake in a handler", () => {
	it("fails its request alone, in the form of its API, and is told", async () => {
		const mistakes: unknown[] = [];
		const server = new GatewayServer(
			{
				limits: DEFAULT_SERVER_LIMITS,
				door: { admit: () => ({ id: "caller" }), isPublic: () => false, guard: () => {} },
				formOf: dialectOf,
				parseBody: jsonBodyParser(),
				newId: () => "id",
				reportBug: (error) => mistakes.push(error),
			},
			[
				{
					method: "GET",
					path: "/v1/thrown",
					handler: () => {
						throw new TypeError("secret detail");
					},
				},
				{ method: "GET", path: "/v1/rejected", handler: () => Promise.reject(new TypeError("secret detail")) },
				{ method: "GET", path: "/v1/good", handler: ({ response }) => void response.end("good") },
			],
		);
		const port = await server.listen("127.0.0.1", 0);
		onTestFinished(() => server.close());
		const get = (path: string) => fetch(`http://127.0.0.1:${port}/v1/${path}`);
		for (const path of ["thrown", "rejected"]) {
			const answer = await get(path);
			const body = await answer.text();
			expect(answer.status).toBe(500);
			expect(JSON.parse(body)).toMatchObject({ error: { message: expect.any(String) } });
			expect(body).not.toContain("secret detail");
			expect(await (await get("good")).text()).toBe("good");
		}
		expect(mistakes).toHaveLength(2);
	});
});
