// Runs a program of Node that ends when whoever started it ends: node with-parent.mjs <script> [arguments]
// The parent holds the other end of standard input, and the system closes it even where the parent is killed.
import { pathToFileURL } from "node:url";

process.argv.splice(1, 1);
process.stdin.resume().once("close", () => process.kill(process.pid, "SIGTERM"));
// Watching alone keeps nothing running.
process.stdin.unref?.();
await import(pathToFileURL(process.argv[1]).href);
