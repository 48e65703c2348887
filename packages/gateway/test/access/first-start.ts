// A process of its own that starts for the first time and says which key it has. Argument: the data folder.
import { randomBytes } from "node:crypto";
import { ensureGatewayKey } from "../../src/access/key-file.ts";
import { KeyRing } from "../../src/access/key-ring.ts";
import { openStore } from "../../src/store/open-store.ts";

const dataDir = process.argv[2]!;
const store = await openStore({
	dataDir,
	warn(message) {
		throw new Error(message);
	},
});
const ring = new KeyRing({ store, now: Date.now, random: randomBytes });
console.log(JSON.stringify(await ensureGatewayKey(dataDir, ring, randomBytes)));
await store.close();
