import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { writeWhole } from "../../files/write-whole.ts";
import { type CensusRow, Tally } from "./tally.ts";

const COUNTED = {
	path: z.string().max(4_096),
	clientVersion: z.string().max(256),
	count: z.number().int().positive(),
	firstSeen: z.number(),
	lastSeen: z.number(),
};
const RowSchema: z.ZodType<CensusRow> = z.union([
	z.object({
		...COUNTED,
		what: z.enum(["field", "kind", "enum-value"]),
		message: z.string().max(256),
		field: z.number(),
		wireType: z.enum(["varint", "64-bit", "length-delimited", "group", "32-bit"]).optional(),
		value: z.number().optional(),
	}),
	z.object({ ...COUNTED, what: z.enum(["model", "more"]) }),
]);
const FileSchema = z.object({ version: z.literal(1), gateway: z.string(), rows: z.array(RowSchema) });

export interface CensusFileOptions {
	dataDir: string;
	/** What is unknown to one version may be known to the next, so a file written by another version is ignored. */
	gatewayVersion: string;
}

/** Each write must see what the previous one wrote. */
let lastWrite: Promise<unknown> = Promise.resolve();

/** `drift.json` in the data folder. The file is useful but optional, so a missing or damaged one is never an error. */
export class CensusFile {
	readonly #path: string;
	readonly #gatewayVersion: string;

	constructor({ dataDir, gatewayVersion }: CensusFileOptions) {
		this.#path = join(dataDir, "drift.json");
		this.#gatewayVersion = gatewayVersion;
	}

	async read(): Promise<CensusRow[]> {
		try {
			const { gateway, rows } = FileSchema.parse(JSON.parse(await readFile(this.#path, "utf8")));
			return gateway === this.#gatewayVersion ? rows : [];
		} catch {
			return [];
		}
	}

	/** Returns whether the write succeeded. */
	add(rows: readonly CensusRow[]): Promise<boolean> {
		const writing = lastWrite.then(async () => {
			const tally = new Tally();
			tally.merge(await this.read());
			tally.merge(rows);
			const content = { version: 1, gateway: this.#gatewayVersion, rows: tally.rows() };
			return writeWhole(this.#path, JSON.stringify(content));
		});
		lastWrite = writing;
		return writing;
	}
}
