import { expect, it } from "vitest";
import { startTestGateway } from "../kit/gateway.ts";

it("does not ask a host that answers without a word again and again where the server wants HTTP/2", async () => {
	const { emulator, post } = await startTestGateway({
		emulator: { brain: "echo", agentHosts: true, switches: ["http2-config=2", "privacy-host=agentn"] },
		limits: { silenceMs: 500, transportRetries: 2 },
	});
	const body = { model: "composer-1", messages: [{ role: "user", content: "hello" }] };
	const response = await post("/v1/chat/completions", body);
	expect(response.status).toBeGreaterThanOrEqual(500);
	expect(emulator.stats().rpcs["/agent.v1.AgentService/Run"]).toBeLessThanOrEqual(3);
});
