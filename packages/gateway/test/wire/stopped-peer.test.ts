import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { decodeWireError } from "../../src/upstream/errors/decode-wire-error.ts";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { H2Pool } from "../../src/wire/h2/h2-pool.ts";
import { closing } from "../kit/cleanup.ts";
import { ExchangeLog } from "../kit/network/exchange-log.ts";

const SERVER = `
	const server = require("node:http2").createServer();
	server.on("stream", (stream) => stream.respond({ ":status": 200 }));
	server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

async function startServer(): Promise<{ child: ChildProcess; origin: URL }> {
	const child = spawn(process.execPath, ["-e", SERVER], { stdio: ["ignore", "pipe", "inherit"] });
	onTestFinished(() => void child.kill("SIGKILL"));
	const [line] = await once(child.stdout!, "data");
	return { child, origin: new URL(`http://127.0.0.1:${String(line).trim()}`) };
}

it("U7: a peer whose process is stopped is noticed by ping, and the stream has stalled", async () => {
	const { child, origin } = await startServer();
	const pool = closing(new H2Pool({ connect: createConnector(), pingIntervalMs: 100, pingTimeoutMs: 1000 }));
	const exchange = new ExchangeLog();
	await pool.open({ origin, key: "", path: "/", headers: {} }, exchange);
	await exchange.head;
	child.kill("SIGSTOP");
	const error = await exchange.failure();
	expect(error.code).toBe("ping-timeout");
	expect(decodeWireError(error).kind).toBe("upstream-stalled");
});
