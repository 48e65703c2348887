// A15 and A16: nothing in a request, and nothing upstream, moves the gateway to talk to anyone else.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectRefusal, say, useRig } from "../kit/hostile/rig.ts";
import { type Attacker, startAttacker } from "./attacker.ts";

const rig = useRig({ settings: { acceptCursorCredentials: true } });
let attacker: Attacker;
beforeAll(async () => {
	attacker = await startAttacker();
});
afterAll(() => attacker.close());

it("the attacker can be reached in the ways that are tried here", async () => {
	const before = attacker.connections();
	for (const name of ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433"]) {
		expect(await (await fetch(`http://${name}:${attacker.port}/`)).text()).toBe("got you");
	}
	expect(attacker.connections()).toBeGreaterThan(before);
});

describe("A15: a request cannot move the upstream", () => {
	it("by its fields", async () => {
		const before = attacker.connections();
		const url = `http://127.0.0.1:${attacker.port}/v1`;
		const names = [
			"api_base",
			"base_url",
			"baseURL",
			"api_url",
			"endpoint",
			"upstream",
			"host",
			"url",
			"proxy",
			"provider",
		];
		const fields = Object.fromEntries(names.map((name) => [name, url]));
		const nested = { extra_body: fields, metadata: fields, provider_options: { cursor: fields } };
		const { started } = rig.emulator.stats().runs;
		const { status, body } = await rig.ask(say("hello", { ...fields, ...nested }));
		expect(status, body).toBe(200);
		expect(rig.emulator.stats().runs.started).toBe(started + 1);
		expect(attacker.connections()).toBe(before);
	});

	it("by its headers", async () => {
		const before = attacker.connections();
		const url = `http://127.0.0.1:${attacker.port}`;
		const names = ["X-Upstream", "X-Cursorwire-Upstream", "X-Portkey-Custom-Host", "X-Target-Url", "X-Forwarded-Host"];
		const more = ["X-Api-Base", "X-Base-Url", "X-Cursor-Backend-Url", "Proxy", "Forwarded", "Location", "Alt-Svc"];
		const lines = [...names, ...more].map((name) => `${name}: ${url}`);
		expect((await rig.answerTo(rig.chat(say("hello"), ...lines))).status).toBe(200);
		expect((await rig.answerTo(rig.head("GET", "/v1/models", ...lines))).status).toBe(200);
		expect(attacker.connections()).toBe(before);
	});

	it("by the name of a model", async () => {
		const before = attacker.connections();
		const url = `http://127.0.0.1:${attacker.port}/x`;
		for (const model of [
			url,
			`openai/${url}`,
			`composer-1@${url}`,
			`composer-1#${url}`,
			"../../x",
			"//127.0.0.1",
			"a?b=c",
		]) {
			expect([200, 400, 404, 502]).toContain((await rig.ask(say("hello", { model }))).status);
			const answer = await rig.answerTo(rig.head("GET", `/v1/models/${encodeURIComponent(model)}`));
			expect([200, 404]).toContain(answer.status);
		}
		expect(attacker.connections()).toBe(before);
	});

	it("by the key it shows", async () => {
		const before = attacker.connections();
		const claims = Buffer.from(JSON.stringify({ sub: "auth0|x", iss: `http://127.0.0.1:${attacker.port}`, exp: 1e10 }));
		const token = `eyJhbGciOiJub25lIn0.${claims.toString("base64url")}.x`;
		const answer = await rig.as(token).ask(say("hello"));
		expect(answer.status).toBeGreaterThanOrEqual(400);
		expect(attacker.connections()).toBe(before);
	});
});

describe("A15: the upstream cannot send the gateway away", () => {
	it("U19: by a redirect", async () => {
		const before = attacker.connections();
		rig.emulator.addFault(`redirect=http://127.0.0.1:${attacker.port}/agent.v1.AgentService/Run@headers*1`);
		const answer = await rig.ask(say("hello"));
		if (answer.status !== 200) expectRefusal(answer, 502, 503);
		rig.emulator.clearFaults();
		expect(attacker.connections()).toBe(before);
	});
});

describe("A16: the gateway fetches no image", () => {
	const addresses: ((port: number) => string)[] = [
		(port) => `http://127.0.0.1:${port}/x.png`,
		(port) => `http://localhost:${port}/x.png`,
		(port) => `HTTP://127.0.0.1:${port}/x.png`,
		(port) => `https://127.0.0.1:${port}/x.png`,
		(port) => `http://[::1]:${port}/x.png`,
		(port) => `http://[::ffff:127.0.0.1]:${port}/x.png`,
		(port) => `http://2130706433:${port}/x.png`,
		(port) => `http://0x7f.1:${port}/x.png`,
		(port) => `http://0:${port}/x.png`,
		(port) => `http://images.test@127.0.0.1:${port}/x.png`,
		(port) => `http://127.0.0.1:${port}#@images.test/x.png`,
		(port) => `http:\\\\127.0.0.1:${port}\\x.png`,
		(port) => `http:/127.0.0.1:${port}/x.png`,
		(port) => `//127.0.0.1:${port}/x.png`,
		(port) => `\thttp://127.0.0.1:${port}/x.png`,
		(port) => ` data:image/png;base64,http://127.0.0.1:${port}/x.png`,
		(port) => `ftp://127.0.0.1:${port}/x.png`,
		(port) => `ws://127.0.0.1:${port}/x.png`,
		(port) => `gopher://127.0.0.1:${port}/_x`,
		(port) => `view-source:http://127.0.0.1:${port}/`,
		(port) => `data:text/plain,http://127.0.0.1:${port}/`,
		() => "http://169.254.169.254/latest/meta-data/",
		() => "http://metadata.google.internal/",
		() => "file:///etc/passwd",
		() => "file://127.0.0.1/etc/passwd",
		() => "unix:/var/run/docker.sock",
	];

	it.each(addresses.map((address) => [address(4280), address]))("from %j", async (_shown, address) => {
		const before = attacker.connections();
		const url = address(attacker.port);
		const forms = [{ url }, url].map((image_url) => ({ type: "image_url", image_url }));
		for (const part of [...forms, { type: "input_image", image_url: url }]) {
			const answer = await rig.ask(say([{ type: "text", text: "hello" }, part]));
			expect(expectRefusal(answer, 400).code).toBe("image_refused");
			expect(answer.body).not.toContain("got you");
		}
		const file = await rig.ask(say([{ type: "file", file: { file_url: url, file_data: url } }]));
		expectRefusal(file, 400);
		expect(attacker.connections()).toBe(before);
	});
});
