// One load of the benchmark, in a separate process. It sends requests, checks every reply, and reports to the parent over
// IPC.
import { closedLoop } from "./load/closed-loop.mjs";
import { conversations } from "./load/conversations.mjs";
import { direct } from "./load/direct.mjs";
import { leave, stall } from "./load/odd-clients.mjs";
import { prompts } from "./load/prompts.mjs";
import { scraped } from "./load/scraped.mjs";
import { park, wait } from "./load/standing.mjs";
import { watched } from "./load/watched.mjs";
import { sent } from "./sse-client.mjs";

const KINDS = { closedLoop, conversations, direct, leave, park, prompts, scraped, stall, wait, watched };
const job = JSON.parse(process.argv[2]);
process.on("disconnect", () => process.exit(0));
const result = await KINDS[job.kind](job);
process.send({ event: "result", result: { ...result, asked: sent.requests } }, () => process.exit(0));
