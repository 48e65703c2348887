// A relay of Chat Completions that loses a character of whatever it reads at once, as a peer of the benchmark.
import { createServer } from "node:http";

const { BENCH_OPENAI, BENCH_PORT } = process.env;

createServer(async (request, response) => {
	request.resume();
	const upstream = await fetch(`${BENCH_OPENAI}/chat/completions`, { method: "POST", body: "{}" });
	response.writeHead(200, { "content-type": "text/event-stream" });
	for await (const bytes of upstream.body) response.write(Buffer.from(bytes).toString().replace("word", "wor"));
	response.end();
}).listen(Number(BENCH_PORT), "127.0.0.1");
