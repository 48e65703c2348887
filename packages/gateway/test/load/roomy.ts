// A gateway in a process of its own with room for as many parked runs as a test wants.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
// @ts-expect-error: a script without types
import { buildGateway, freePort, roomyGateway } from "../../../../bench/participants.mjs";

export async function startRoomyGateway(options: {
	upstream: string;
	dataDir: string;
	room: number;
}): Promise<{ child: ChildProcess; url: string; key: string }> {
	await buildGateway();
	const port = await freePort();
	const child = spawn(process.execPath, [roomyGateway, String(port), String(options.room)], {
		stdio: ["ignore", "ignore", "inherit"],
		env: {
			PATH: process.env.PATH,
			HOME: options.dataDir,
			CURSORWIRE_UPSTREAM: options.upstream,
			CURSORWIRE_DATA_DIR: options.dataDir,
			CURSOR_API_KEY: "key_test",
		},
	});
	const url = `http://127.0.0.1:${port}`;
	while (!(await fetch(`${url}/healthz`).catch(() => undefined))) await sleep(20);
	return { child, url, key: readFileSync(join(options.dataDir, "gateway-key"), "utf8").trim() };
}
