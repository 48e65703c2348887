// The program of the thread in which clients' schemas are compiled and answers are checked.
import { parentPort } from "node:worker_threads";
import { type CheckRequest, checkReply } from "./structured-output-check.ts";

parentPort?.on("message", ({ id, question }: { id: number; question: CheckRequest }) => {
	parentPort?.postMessage({ id, finding: checkReply(question) });
});
