// A real Redis for tests, on a free port of this machine.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface TestRedis {
	url: string;
	port: number;
	/** Runs `redis-cli` and tells what it prints. */
	cli(...args: string[]): Promise<string>;
	/** Ends it in the middle of whatever it does. */
	kill(): Promise<void>;
	/** Stops it from doing anything; its connections stay. */
	freeze(): void;
	/** Starts it again on the same port, with what it had saved. */
	restart(): Promise<void>;
	/** Ends it and removes its files. */
	stop(): Promise<void>;
}

/** `options` are those of redis.conf, each with two dashes before it. */
export async function startRedis(options: string[] = [], password = ""): Promise<TestRedis> {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-redis-"));
	const port = await freePort();
	const args = [
		...["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
		...(password ? ["--requirepass", password] : []),
		...options,
	];
	let server = await start(args);
	const end = async () => {
		if (server.exitCode !== null || server.signalCode !== null) return;
		server.kill("SIGKILL");
		await once(server, "exit");
	};
	return {
		url: `redis://${password && `:${password}@`}127.0.0.1:${port}`,
		port,
		async cli(...command) {
			const login = password ? ["-a", password, "--no-auth-warning"] : [];
			return (await promisify(execFile)("redis-cli", ["-p", `${port}`, ...login, ...command])).stdout.trim();
		},
		kill: end,
		freeze: () => void server.kill("SIGSTOP"),
		async restart() {
			server = await start(args);
		},
		async stop() {
			await end();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

async function start(args: string[]): Promise<ChildProcess> {
	const server = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
	let output = "";
	await new Promise<void>((resolve, reject) => {
		server.on("error", () => reject(new Error("these tests need redis-server: apt-get install redis-server")));
		server.on("exit", (code) => reject(new Error(`redis-server ended with ${code}: ${output}`)));
		server.stdout!.on("data", (chunk) => {
			output += chunk;
			if (output.includes("Ready to accept connections")) resolve();
		});
	});
	return server;
}

export async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as { port: number };
	server.close();
	await once(server, "close");
	return port;
}
