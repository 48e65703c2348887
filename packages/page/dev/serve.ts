// `node --import tsx packages/page/dev/serve.ts [rows]`: the page with made-up figures and lanes that move.
import type { Lane, LaneState } from "../../gateway/src/page/contract.ts";
import { lanes } from "./data.ts";
import { startFake } from "./fake.ts";

const rows = Number(process.argv[2] ?? 100_000);
const fake = await startFake({ rows, isNasty: process.argv.includes("--nasty"), port: 4173 });
console.log(fake.link);

const NEXT: Record<LaneState, LaneState> = {
	connecting: "thinking",
	thinking: "streaming",
	streaming: "tool",
	tool: "waiting",
	waiting: "retrying",
	retrying: "connecting",
};
let moving: Lane[] = rows > 1 ? lanes(Date.now(), false) : [];
setInterval(() => {
	const now = Date.now();
	moving = moving.map((lane, index) =>
		now - lane.stateSince < 3_000 + index * 1_700
			? { ...lane, outputTokens: lane.outputTokens + (lane.state === "streaming" ? 17 : 0) }
			: { ...lane, state: NEXT[lane.state], stateSince: now, tools: lane.state === "tool" ? ["Bash"] : undefined },
	);
	fake.change({ lanes: moving });
}, 250);
