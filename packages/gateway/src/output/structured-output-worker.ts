// The program of the thread that compiles clients' schemas and checks replies.
import { parentPort } from "node:worker_threads";
import { type CheckRequest, checkReply } from "./structured-output-check.ts";

parentPort?.on("message", ({ id, request }: { id: number; request: CheckRequest }) => {
	parentPort?.postMessage({ id, outcome: checkReply(request) });
});
