// The program of the thread in which clients' schemas are compiled and answers are checked.
import { parentPort } from "node:worker_threads";
import { find, type Question } from "./structured-output-finding.ts";

parentPort?.on("message", ({ id, question }: { id: number; question: Question }) => {
	parentPort?.postMessage({ id, finding: find(question) });
});
