import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { GetBlobArgsSchema, type PreFetchedBlob, SetBlobArgsSchema } from "@cursorwire/protocol/agent";
import type { Backend } from "../../backend.ts";
import { RpcFailure } from "../../rpc/failure.ts";
import type { AgentLink } from "./link.ts";

const ID_LENGTH = 32;

function blobId(data: Uint8Array): Uint8Array {
	return createHash("sha256").update(data).digest();
}

/** The client's blob store, which the server reads and writes by asking the client: docs/protocol.md, Blobs. */
export class Blobs {
	readonly #link: AgentLink;
	readonly #backend: Backend;
	/** Blobs that came with the request, or were read or written in this run. */
	readonly #known = new Map<string, Uint8Array>();

	constructor(link: AgentLink, backend: Backend, preFetched: readonly PreFetchedBlob[]) {
		this.#link = link;
		this.#backend = backend;
		for (const { id, value } of preFetched) this.#known.set(hex(id), value);
	}

	async get(id: Uint8Array): Promise<Uint8Array> {
		// Clients send content in place of an id by mistake; Cursor's server then reports a blob that is not found.
		if (id.length !== ID_LENGTH) throw notFound(id);
		const known = this.#known.get(hex(id));
		if (known) return known;
		const args = create(GetBlobArgsSchema, { blobId: id });
		const answer = await this.#link.kv({ case: "getBlobArgs", value: args });
		this.#backend.stats.blobs.read += 1;
		const data = answer.case === "getBlobResult" ? answer.value.blobData : undefined;
		if (!data || data.length === 0) {
			this.#backend.stats.blobs.missing += 1;
			throw notFound(id);
		}
		if (this.#backend.strict && hex(blobId(data)) !== hex(id)) {
			throw new RpcFailure("invalid_argument", `strict: blob ${hex(id)} is not what its id says`);
		}
		this.#known.set(hex(id), data);
		return data;
	}

	/** Stores a blob at the client, unless it is known to be there, and returns its id. */
	async set(data: Uint8Array): Promise<Uint8Array> {
		const id = blobId(data);
		if (this.#known.has(hex(id))) return id;
		this.#known.set(hex(id), data);
		const args = create(SetBlobArgsSchema, { blobId: id, blobData: data });
		const answer = await this.#link.kv({ case: "setBlobArgs", value: args });
		this.#backend.stats.blobs.written += 1;
		const problem =
			answer.case === "setBlobResult" ? answer.value.error?.message : "the answer is not a set_blob_result";
		if (problem) throw new RpcFailure("internal", `set_blob failed: ${problem}`);
		return id;
	}
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

function notFound(id: Uint8Array): RpcFailure {
	return new RpcFailure("internal", `Blob not found: ${hex(id.subarray(0, ID_LENGTH))}`);
}
