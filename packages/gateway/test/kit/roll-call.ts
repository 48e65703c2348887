// Processes that report to a test, whoever started them. The system closes a socket with its process, so its close is the
// process's end, and only a process that lives answers. When the test is over, their sockets close, and they end.
import { EventEmitter, once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { until } from "./cleanup.ts";

interface Member {
	pid: number;
	/** What it has said so far. */
	said: string[];
	isAlive(): Promise<boolean>;
	/** Ends it at once, and waits for that. */
	kill(): Promise<void>;
}

export interface RollCall {
	/** What a process needs in its environment to report. */
	env: Record<string, string>;
	/** The process of this name, as soon as it has reported. */
	member(name: string): Promise<Member>;
}

/** Its name has the characters that make a line of /proc hard to read. */
const REPORT = `import { connect } from "node:net";
process.title = "a) S 1 (b";
export function report(name) {
	const socket = connect(Number(process.env.ROLL_CALL), "127.0.0.1", () => socket.write(process.pid + " " + name + "\\n"));
	socket.on("data", () => socket.write("here\\n")).on("error", () => {}).on("close", () => process.exit());
	return (said, then) => socket.write(said + "\\n", then);
}`;

/** Puts `report.mjs` into the folder, with which scripts there report by a name and say something. */
export async function rollCall(folder: string): Promise<RollCall> {
	writeFileSync(join(folder, "report.mjs"), REPORT);
	const members = new Map<string, Member>();
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		void admit(socket, members);
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.close();
		for (const socket of sockets) socket.destroy();
	});
	return {
		env: { ROLL_CALL: String((server.address() as AddressInfo).port) },
		async member(name) {
			await until(() => members.has(name));
			return members.get(name)!;
		},
	};
}

async function admit(socket: Socket, members: Map<string, Member>): Promise<void> {
	const gone = new Promise<false>((resolve) => socket.on("error", () => {}).once("close", () => resolve(false)));
	const lines = createInterface({ input: socket });
	const [, pid, name] = /^(\d+) (.+)$/.exec((await once(lines, "line"))[0])!;
	const said: string[] = [];
	const answers = new EventEmitter();
	lines.on("line", (line) => (line === "here" ? answers.emit(line) : said.push(line)));
	members.set(name!, {
		pid: Number(pid),
		said,
		isAlive() {
			const answer = once(answers, "here").then(() => true);
			socket.write("?");
			return Promise.race([gone, answer]);
		},
		async kill() {
			process.kill(Number(pid), "SIGKILL");
			await gone;
		},
	});
}
