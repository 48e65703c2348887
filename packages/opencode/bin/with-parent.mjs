// Runs a Node program that ends when its parent process ends: node with-parent.mjs <script> [arguments]
// The parent holds the other end of standard input, which the system closes even if the parent is killed.
import { pathToFileURL } from "node:url";

process.argv.splice(1, 1);
process.stdin.resume().once("close", () => process.kill(process.pid, "SIGTERM"));
// Watching stdin must not keep the program running.
process.stdin.unref?.();
await import(pathToFileURL(process.argv[1]).href);
