// A process of its own that adds keys one after the other. Arguments: the file, a name, how many.
import { createHash } from "node:crypto";
import { KeyJournal } from "../../src/store/keys/key-journal.ts";

const [file = "", name = "", count = "0"] = process.argv.slice(2);
const journal = new KeyJournal({ file, warn: () => {} });
for (let number = 0; number < Number(count); number++) {
	const id = `${name}-${number}`;
	journal.add([{ id, name, hash: createHash("sha256").update(id).digest("hex"), createdAt: number }]);
	if (journal.problem) throw new Error(journal.problem);
}
