import { Worker } from "node:worker_threads";
import type { CheckOutcome, CheckRequest } from "./structured-output-check.ts";

// A client's schema can take seconds to compile or to check against, and nobody else's answer may wait for that. So it
// is done in a thread, which is started when it is first needed and ends when nobody has needed it for a while.

const IDLE_MS = 60_000;
/** The thread ends what takes too long by itself; one that says nothing for this long is ended from here. */
const SILENT_MS = 120_000;
const MOST_WAITING = 64;

interface Thread {
	worker: Worker;
	/** Who asked, by the number of the question. */
	waiting: Map<number, { resolve(finding: CheckOutcome): void; reject(error: unknown): void }>;
	timer: NodeJS.Timeout | undefined;
}

let thread: Thread | undefined;
let questions = 0;

/** Asks the thread. Rejects where the thread dies over it, which is a mistake of the gateway. */
export function checkInThread(question: CheckRequest): Promise<CheckOutcome> {
	thread ??= startThread();
	const { worker, waiting } = thread;
	if (waiting.size >= MOST_WAITING) return Promise.resolve({ kind: "busy" });
	const id = ++questions;
	const finding = new Promise<CheckOutcome>((resolve, reject) => waiting.set(id, { resolve, reject }));
	worker.ref();
	worker.postMessage({ id, question });
	watch(thread);
	return finding;
}

function startThread(): Thread {
	const worker = openWorker();
	const started: Thread = { worker, waiting: new Map(), timer: undefined };
	worker.on("message", ({ id, finding }: { id: number; finding: CheckOutcome }) => {
		started.waiting.get(id)?.resolve(finding);
		started.waiting.delete(id);
		// A thread without work must not keep the program from ending.
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

/** From a file beside this one: TypeScript in a checkout, a bundle of its own where the gateway is built. */
function openWorker(): Worker {
	if (isCheckout()) {
		const file = new URL("./structured-output-worker.ts", import.meta.url).href;
		const loader = import.meta.resolve("tsx/esm/api");
		const program = `import("${loader}").then(({ register }) => { register(); return import("${file}"); });`;
		return new Worker(program, { eval: true });
	}
	return new Worker(new URL("./structured-output-worker.js", import.meta.url));
}

/** In the single executable there are no files at all, and no `import.meta`. */
const isCheckout = () => import.meta.url?.endsWith(".ts") ?? false;
