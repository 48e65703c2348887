import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FAULTS } from "../src/faults/catalogue.ts";
// @ts-expect-error: a module for the emulator's own process, without types
import { PROMPTS } from "./kit/bad-brains.mjs";
import { callOver } from "./kit/call-over.ts";
import { EmulatorProcess } from "./kit/emulator-process.ts";
import { accessToken, RunClient, textResult } from "./kit/run-client.ts";

/** A client gives up on a stream that is kept open. */
const PATIENCE_MS = 100;
/** Values that keep a fault quick where its default is not. */
const SMALL: Record<string, string> = {
	delay: "=10",
	latency: "=1",
	bandwidth: "=1000000",
	bomb: "=1",
	flood: "=50",
	status: "=503",
};
const WHERE: Record<string, string> = { frame: ":2", byte: ":20", append: ":2" };
const SPECS = Object.entries(FAULTS).flatMap(([name, { places }]) =>
	places.map((place) => `${name}${SMALL[name] ?? ""}@${place}${WHERE[place] ?? ""}*1`),
);
const DROPS_HTTP1 = ["reset", "cut", "goaway", "goaway-refuse", "http1-required"];

const TRANSPORTS = [
	{ transport: "HTTP/1.1", tls: false, httpVersion: "1.1", carrier: "RunSSE" },
	{ transport: "HTTP/2", tls: false, httpVersion: "2", carrier: "Run" },
	{ transport: "HTTP/1.1 with TLS", tls: true, httpVersion: "1.1", carrier: "RunSSE" },
	{ transport: "HTTP/2 with TLS", tls: true, httpVersion: "2", carrier: "Run" },
] as const;

let servers: Record<"clear" | "tls", EmulatorProcess>;
beforeAll(async () => {
	const brain = fileURLToPath(new URL("./kit/bad-brains.mjs", import.meta.url));
	const [clear, tls] = await Promise.all([
		EmulatorProcess.start("--brain", brain),
		EmulatorProcess.start("--brain", brain, "--tls"),
	]);
	servers = { clear, tls };
});
afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop())));

describe.each(TRANSPORTS)("over $transport", ({ tls, httpVersion, carrier }) => {
	const server = () => (tls ? servers.tls : servers.clear);
	const connect = () => RunClient.connect(server().asEmulator, { httpVersion });
	/** However it ends; a client that waits too long leaves. */
	const spoiltRun = (client: RunClient, prompt: string) =>
		client
			.run({
				prompt,
				carrier,
				tools: [{ name: "t" }],
				signal: AbortSignal.timeout(PATIENCE_MS),
				onExec: (exec) => textResult(exec, "done"),
			})
			.catch(() => {});
	const serves = async (client: RunClient, after: string) => {
		expect(server().alive, `${after} ended the emulator: ${server().errors}`).toBe(true);
		const { text } = await client.run({ prompt: "still here", carrier });
		expect(text, after).toBe("still here");
	};

	it("no fault of the catalogue ends the emulator: it serves the next run", async () => {
		const client = await connect();
		for (const spec of SPECS) {
			await server().control("POST", "faults", { fault: spec });
			await spoiltRun(client, "struck");
			// A fault at connect may be left for this call, where the run found an open connection.
			const disarm = () => server().control("DELETE", "faults");
			await disarm().catch(disarm);
			await serves(client, spec);
		}
	});

	it("no brain ends the emulator: it serves the next run", async () => {
		const client = await connect();
		for (const prompt of PROMPTS) {
			await spoiltRun(client, prompt);
			await serves(client, prompt);
		}
		const { streams } = (await server().control("GET", "stats")) as { streams: { open: number } };
		expect(streams.open).toBe(0);
	});
});

describe.each([{ name: "clear" }, { name: "tls" }] as const)(
	"a dropped connection over HTTP/1.1, $name",
	({ name }) => {
		it.each(DROPS_HTTP1)("%s@headers leaves no answer at all", async (fault) => {
			const server = servers[name];
			const headers = {
				authorization: `Bearer ${await accessToken(server.asEmulator)}`,
				"content-type": "application/connect+proto",
			};
			const body = Buffer.concat([Buffer.from([0, 0, 0, 0, 3, 10, 1]), Buffer.from("r")]).toString("latin1");
			await server.control("POST", "faults", { fault: `${fault}@headers*1` });
			const answer = callOver(server, "POST", "/agent.v1.AgentService/RunSSE", body, headers);
			await expect(answer).rejects.toMatchObject({ code: "ECONNRESET" });
		});
	},
);
