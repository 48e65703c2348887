// A process of its own that writes to a store without end. Arguments: folder, its name. It says "ready" once, then
// the number of each round that was stored.
import { writeSync } from "node:fs";
import { openStore } from "../../src/store/open-store.ts";
import { bytes, checkpoint, ledgerRow } from "./sample-records.ts";

const [, , dataDir, name = "writer"] = process.argv;
const store = await openStore({ dataDir: dataDir!, warn: (message) => writeSync(2, `${message}\n`) });
writeSync(1, "ready\n");

// SQLite's lock is not fair: a process that writes without a pause starves all others, which no gateway does.
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

for (let round = 0; ; round++) {
	const contents = ["shared", ...Array.from({ length: 20 }, (_, index) => `${name} ${round} ${index} `.repeat(100))];
	await store.putCheckpoint(...checkpoint(name, `k${round}`, contents, `state ${round}`));
	await pause();
	await store.putResponse(name, `r${round}`, bytes(`${round} `.repeat(5000)), 3_600_000);
	await pause();
	await store.appendLedger(Array.from({ length: 10 }, () => ledgerRow({ caller: name, model: `round ${round}` })));
	if (store.status().mode === "sqlite") writeSync(1, `${round}\n`);
	await pause();
}
