import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredRow } from "../../store/ledger-reads.ts";
import { GatewayError } from "../../turn/error.ts";
import type { PageDataParts } from "./parts.ts";
import { rowOf } from "./row-of.ts";

/** The name of the file with the recording of the run that served a turn. */
export async function recordingOf({ runId }: Pick<StoredRow, "runId">, folder: string): Promise<string | undefined> {
	if (folder === "" || runId === undefined) return undefined;
	const files = await readdir(folder).catch(() => []);
	return files.find((file) => file.endsWith(`-${runId}.jsonl`));
}

/** `GET /page/api/turns/:id/recording`: the file as it was written, with its texts masked unless the owner chose otherwise. */
export async function readRecording(
	{ store, recordings }: Pick<PageDataParts, "store" | "recordings">,
	id: number,
): Promise<{ name: string; bytes: Uint8Array }> {
	const name = await recordingOf(await rowOf(store, id), recordings);
	if (name !== undefined) return { name, bytes: await readFile(join(recordings, name)) };
	throw new GatewayError("not-found", "This turn was not recorded, or its recording was removed.", {
		nextStep: "Run `cursorwire serve --record <folder>` to record the turns to come.",
	});
}
