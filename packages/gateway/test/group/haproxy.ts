// A real HAProxy with the options of haproxy.cfg, in front of gateways that listen on the same port as itself, each at a
// loopback address of its own: the Host header that a client sends is then right for all of them, as between containers.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../kit/program.ts";

const CONFIGURATION = fileURLToPath(new URL("../../../../haproxy.cfg", import.meta.url));

export async function startHaproxy(port: number, hosts: readonly string[]): Promise<string> {
	const file = join(temporaryFolder(), "haproxy.cfg");
	const lines = readFileSync(CONFIGURATION, "utf8")
		.replace("bind :4280", `bind 127.0.0.1:${port}`)
		.replace("localhost:4280", `localhost:${port}`)
		.split("\n")
		.filter((line) => !line.trim().startsWith("server "));
	const servers = hosts.map((host, at) => `    server gateway-${at + 1} ${host}:${port}`);
	writeFileSync(file, [...lines, ...servers, ""].join("\n"));
	const haproxy = spawn("haproxy", ["-db", "-q", "-f", file], { stdio: "inherit" });
	onTestFinished(async () => {
		const ended = once(haproxy, "exit");
		haproxy.kill("SIGKILL");
		await ended;
	});
	await accepts(port, haproxy);
	return `http://127.0.0.1:${port}`;
}

async function accepts(port: number, haproxy: ReturnType<typeof spawn>): Promise<void> {
	for (;;) {
		if (haproxy.exitCode !== null) throw new Error("haproxy has ended");
		const socket = connect(port, "127.0.0.1");
		const isOpen = await new Promise<boolean>((resolve) => {
			socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
		});
		socket.destroy();
		if (isOpen) return;
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
