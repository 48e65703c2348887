import { it } from "vitest";
import { request } from "node:http";
import { useBench, say, CHAT } from "./bench.ts";
import { LOOK } from "./brain.ts";
const bench = useBench();
const show = (r: any) => console.log(r instanceof Error ? String(r) : `${r.status} ${JSON.stringify(r.headers)} ${r.body.slice(0,300)}`);
it("x", async () => {
	show(await bench.ask(say("hello")));
	show(await bench.ask(say("look here", { tools: [LOOK] })));
	show(await bench.answerTo(bench.head("GET", "/v1/models/%zz")).catch(e=>e));
	show(await bench.answerTo("GET /%zz HTTP/1.1\r\nHost: evil\r\n\r\n").catch(e=>e));
	show(await bench.answerTo(bench.head("GET", "/v1/models/"+"a".repeat(300))).catch(e=>e));
	show(await bench.answerTo("GET / HTTP/1.1\r\n\r\n").catch(e=>e));
	show(await bench.answerTo(bench.head("POST", CHAT, "Content-Type: application/json", "Content-Length: 99999999999")).catch(e=>e));
	{
		const c = await bench.open();
		c.send(bench.head("POST", CHAT, "Content-Type: application/json", "Content-Length: 99999999999"));
		show(await c.response());
		let n = 0; const chunk = Buffer.alloc(1<<20);
		const t = Date.now();
		while (Date.now() - t < 1000 && !c.ended) { if (!c.socket.write(chunk)) await new Promise(r => {c.socket.once("drain", r); setTimeout(r, 300)}); n++; }
		console.log("after 413 sent MiB", n, c.ended, c.socket.bytesWritten);
		c.close();
	}
	for (const size of [33, 100]) {
		const t = performance.now();
		const r = await bench.gateway && await fetch(bench.url + CHAT, { method: "POST", body: Buffer.alloc(size<<20, 32), headers: { authorization: `Bearer ${bench.key}`, "content-type": "application/json" } }).then(async r => `${r.status} ${await r.text()}`, e => `${e} ${e.cause}`);
		console.log(size, r, performance.now() - t);
	}
	{
		const c = await bench.open();
		c.send(bench.chat(say("speak-and-hang", {stream: true})));
		await c.sees(/first words/);
		c.send("garbage\r\n\r\n");
		await c.end();
		console.log(c.unread);
	}
	{
		const c = await bench.open();
		c.send(bench.head("POST", CHAT, "Content-Type: application/json", "Content-Length: 100")+"{");
		await new Promise(r=>setTimeout(r,100));
		c.reset();
		await new Promise(r=>setTimeout(r,300));
		console.log("mistakes", bench.mistakes);
		bench.mistakes.length = 0;
	}
	{
		const c = await bench.open();
		c.send(bench.chat(say("slowly a b c d")));
		c.socket.end();
		show(await c.response().catch(e=>e));
		console.log(bench.emulator.stats().runs, await bench.ledger());
	}
});
