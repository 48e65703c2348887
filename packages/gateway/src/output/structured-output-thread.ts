import { Worker } from "node:worker_threads";
import type { CheckOutcome, CheckRequest } from "./structured-output-check.ts";

// Compiling a client's schema or checking a reply against it can take seconds, and other turns must not wait for that.
// So it is done in a thread, which is started when it is first needed and ends after it has been idle for a while.

const IDLE_MS = 60_000;
/** The thread itself stops work that takes too long. If it sends nothing for this long, it is ended from here. */
const SILENT_MS = 120_000;
const MOST_WAITING = 64;

interface Thread {
	worker: Worker;
	/** The checks that have not finished, by their number. */
	waiting: Map<number, { resolve(outcome: CheckOutcome): void; reject(error: unknown): void }>;
	timer: NodeJS.Timeout | undefined;
}

let thread: Thread | undefined;
let checks = 0;

/** Runs a check in the thread. Rejects if the thread crashes, which is a bug of the gateway. */
export function checkInThread(request: CheckRequest): Promise<CheckOutcome> {
	thread ??= startThread();
	const { worker, waiting } = thread;
	if (waiting.size >= MOST_WAITING) return Promise.resolve({ kind: "busy" });
	const id = ++checks;
	const outcome = new Promise<CheckOutcome>((resolve, reject) => waiting.set(id, { resolve, reject }));
	worker.ref();
	worker.postMessage({ id, request });
	watch(thread);
	return outcome;
}

function startThread(): Thread {
	const worker = openWorker();
	const started: Thread = { worker, waiting: new Map(), timer: undefined };
	worker.on("message", ({ id, outcome }: { id: number; outcome: CheckOutcome }) => {
		started.waiting.get(id)?.resolve(outcome);
		started.waiting.delete(id);
		// An idle thread must not keep the process alive.
		if (started.waiting.size === 0) worker.unref();
		watch(started);
	});
	worker.on("error", (error) => {
		for (const { reject } of started.waiting.values()) reject(error);
		started.waiting.clear();
		end(started);
	});
	worker.on("exit", () => end(started));
	return started;
}

/** Ends the thread when it has been idle, or silent, for too long. */
function watch(watched: Thread): void {
	clearTimeout(watched.timer);
	const ms = watched.waiting.size === 0 ? IDLE_MS : SILENT_MS;
	watched.timer = setTimeout(() => end(watched), ms).unref();
}

function end(ended: Thread): void {
	clearTimeout(ended.timer);
	if (thread === ended) thread = undefined;
	for (const { resolve } of ended.waiting.values()) resolve({ kind: "busy" });
	ended.waiting.clear();
	void ended.worker.terminate();
}

/** Starts the worker from a file next to this one: TypeScript in a checkout, a separate bundle in a build. */
function openWorker(): Worker {
	if (isCheckout()) {
		const file = new URL("./structured-output-worker.ts", import.meta.url).href;
		const loader = import.meta.resolve("tsx/esm/api");
		const program = `import("${loader}").then(({ register }) => { register(); return import("${file}"); });`;
		return new Worker(program, { eval: true });
	}
	return new Worker(new URL("./structured-output-worker.js", import.meta.url));
}

/** The single executable has no files and no `import.meta`. */
const isCheckout = () => import.meta.url?.endsWith(".ts") ?? false;
