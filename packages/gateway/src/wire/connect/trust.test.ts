import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterAll, describe, expect, it } from "vitest";
import { readTrust } from "./trust.ts";

const folder = mkdtempSync(join(tmpdir(), "cursorwire-trust-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string): string {
	const path = join(folder, name);
	writeFileSync(path, content);
	return path;
}

const badCaFile = expect.objectContaining({ name: "WireError", code: "bad-ca-file" });
const [first = "", second = ""] = rootCertificates;

describe("readTrust", () => {
	it("adds every certificate of a bundle to Node's own, whatever stands around them", async () => {
		const path = file("bundle.pem", `# company roots\r\n${first}\nsubject=/CN=x\n${second}\n`);
		expect(await readTrust(path)).toEqual([...rootCertificates, first, second]);
	});

	it("says so when the file is missing", async () => {
		const path = join(folder, "absent.pem");
		await expect(readTrust(path)).rejects.toEqual(badCaFile);
		await expect(readTrust(path)).rejects.toThrow("absent.pem");
	});

	it("refuses a file without a certificate", async () => {
		await expect(readTrust(file("empty.pem", ""))).rejects.toEqual(badCaFile);
		await expect(readTrust(file("key.pem", "-----BEGIN PRIVATE KEY-----\n"))).rejects.toEqual(badCaFile);
	});

	it("refuses a damaged certificate", async () => {
		const damaged = first.replace(/\n.{20}/, "\nAAAAAAAAAAAAAAAAAAAA");
		await expect(readTrust(file("damaged.pem", damaged))).rejects.toEqual(badCaFile);
	});
});
