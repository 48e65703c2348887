// Loaded into a process before its own code: SIGUSR2 collects garbage. The signal would end a process without this, so a
// process of a peer leaves a file with its id where the benchmark looks for it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
process.on("SIGUSR2", () => collect());
if (process.env.BENCH_FOLDER) writeFileSync(join(process.env.BENCH_FOLDER, `collects-${process.pid}`), "");
