// Keys that can read metrics and nothing else.
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { KeyRing } from "../../src/access/key-ring.ts";
import { DIALECTS } from "../../src/routes/dialects.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { StoredKey } from "../../src/store/store.ts";
import { until } from "../kit/cleanup.ts";
import { expectAnyRefusal, say, targetOf, useRig } from "../kit/hostile/rig.ts";
import { runProgram, temporaryFolder } from "../kit/program.ts";

const rig = useRig();
let scraper: string;
beforeAll(async () => {
	scraper = await addKey("metrics");
});
const ASSETS = ["/page/page.js", "/page/page.css", "/page/icon.svg"].flatMap((path) => [`GET ${path}`, `HEAD ${path}`]);
const PUBLIC = ["GET /healthz", "HEAD /api/hello", "HEAD /", ...ASSETS];
const NONCE = randomBytes(16).toString("base64");
const BODY = JSON.stringify(say("hello"));

async function addKey(kind?: StoredKey["kind"]): Promise<string> {
	const store = await openStore({ dataDir: rig.dataDir, warn: () => {} });
	const ring = new KeyRing({ store, now: Date.now, random: randomBytes });
	const { key } = await ring.add(kind ?? "client", { kind });
	await store.close();
	// The gateway looks for new keys of other processes at most ten times a second.
	await until(async () => (await rig.answerTo(request("GET", "/metrics", key))).status !== 401);
	return key;
}

function request(method: string, target: string, key: string): Buffer {
	const body = method === "POST" ? BODY : "";
	const type = ["Content-Type: application/json", `Content-Length: ${body.length}`];
	return Buffer.from(`${rig.as(key).head(method, target, ...type)}${body}`, "latin1");
}

describe("a key that can only read metrics", () => {
	it("is refused at every other route, and nothing is sent to Cursor", async () => {
		const { started } = rig.emulator.stats().runs;
		const open: string[] = [];
		for (const { method, path } of rig.gateway.routes) {
			const answer = await rig.answerTo(request(method, targetOf(path, "composer-1"), scraper));
			// The page takes sessions and no keys at all, and says so in a form of its own.
			if (path.startsWith("/page/api/")) expect([400, 401, 403], path).toContain(answer.status);
			else if (answer.status === 200) open.push(`${method} ${path}`);
			else if (method === "HEAD" || path === "/") expect(answer.status).toBe(403);
			else expectAnyRefusal(answer, 403);
		}
		expect(open.sort()).toEqual([...PUBLIC, "GET /metrics"].sort());
		expect(rig.emulator.stats().runs.started).toBe(started);
	});

	it.each(["/v1/unknown", "//metrics", "/metrics/", "/metrics/../v1/models", "/Metrics", "/v1/metrics", "/%6detrics"])(
		"is refused at %s",
		async (target) => {
			const { status } = await rig.answerTo(request("GET", target, scraper));
			expect(status).toBe(403);
		},
	);

	it("opens no WebSocket", async () => {
		const { started } = rig.emulator.stats().runs;
		const upgrade = [
			"Connection: Upgrade",
			"Upgrade: websocket",
			"Sec-WebSocket-Version: 13",
			`Sec-WebSocket-Key: ${NONCE}`,
		];
		const handshake = (key: string, target: string) =>
			rig.answerTo(Buffer.from(rig.as(key).head("GET", target, ...upgrade), "latin1"));
		const paths = DIALECTS.filter(({ socket }) => socket !== undefined).flatMap(({ path }) => [path, `/v1${path}`]);
		expect(paths).not.toEqual([]);
		for (const target of [...paths, "/metrics"])
			expect((await handshake(scraper, target)).status, target).not.toBe(101);
		for (const target of paths) expect((await handshake(scraper, target)).status, target).toBe(403);
		expect(rig.emulator.stats().runs.started).toBe(started);
	});

	it("is told so in the form of the API it asked", async () => {
		const openai = await rig.answerTo(request("POST", "/v1/chat/completions", scraper));
		expect(JSON.parse(openai.body).error.message).toMatch(/^This key can only read metrics\. .*GET \/metrics/);
		const anthropic = JSON.parse((await rig.answerTo(request("POST", "/v1/messages", scraper))).body);
		expect(anthropic).toMatchObject({ type: "error", error: { type: "permission_error" } });
	});

	it("reads them with a query too", async () => {
		const answer = await rig.answerTo(request("GET", "/metrics?x=1", scraper));
		expect(answer.status).toBe(200);
		expect(answer.body).toContain("# TYPE cursorwire_requests_total counter");
	});
});

it("is the only key but the owner's that reads metrics", async () => {
	expect((await rig.answerTo(request("GET", "/metrics", rig.key))).status).toBe(200);
	const answer = await rig.answerTo(request("GET", "/metrics", await addKey()));
	expectAnyRefusal(answer, 403);
	expect(answer.body).toContain("This key may not read metrics.");
});

describe("cursorwire keys add --metrics-only", () => {
	it("makes such a key, which the list shows as one", async () => {
		const env = { CURSORWIRE_DATA_DIR: temporaryFolder() };
		const { out } = await runProgram(["keys", "add", "prometheus", "--metrics-only", "--json"], env);
		const { id } = JSON.parse(out);
		const list = await runProgram(["keys"], env);
		expect(list.out).toMatch(new RegExp(`${id} +prometheus +metrics .* none +nothing +valid`));
		const { keys } = JSON.parse((await runProgram(["keys", "--json"], env)).out);
		expect(keys).toMatchObject([{ id, kind: "metrics" }]);
	});

	it("takes no number of turns", async () => {
		const env = { CURSORWIRE_DATA_DIR: temporaryFolder() };
		const { err, code } = await runProgram(["keys", "add", "x", "--metrics-only", "--turns", "2"], env);
		expect(code).not.toBe(0);
		expect(err).toContain("a key that can only read metrics has no turns");
	});
});
