import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { MANAGERS } from "./managers.ts";
import type { ServiceSpec } from "./service.ts";

const SPEC: ServiceSpec = {
	command: ["/opt/my node/node", '/opt/100% "safe"/$HOME/<cursorwire>.mjs', "serve", "--port", "4280"],
	environment: { CURSORWIRE_DATA_DIR: "/data & more", HTTPS_PROXY: "http://proxy:8080" },
	home: "/home/ada",
	user: "ada",
};

describe("systemd", () => {
	const { describe: write, file, install, uninstall } = MANAGERS.linux!;

	it("starts the program with every word as it is", () => {
		const unit = write(SPEC);
		expect(unit).toContain(
			'ExecStart="/opt/my node/node" "/opt/100%% \\"safe\\"/$$HOME/<cursorwire>.mjs" "serve" "--port" "4280"\n',
		);
		expect(unit).toContain(
			'Environment="CURSORWIRE_DATA_DIR=/data & more"\nEnvironment="HTTPS_PROXY=http://proxy:8080"\n',
		);
		expect(unit).toContain("WantedBy=default.target");
		expect(file(SPEC)).toBe("/home/ada/.config/systemd/user/cursorwire.service");
		expect(install("f").flat()).toContain("enable");
		expect(uninstall("f").flat()).toContain("disable");
	});

	it("is a unit that systemd accepts", ({ skip }) => {
		if (spawnSync("systemd-analyze", ["--version"]).status !== 0) skip("no systemd here");
		const folder = mkdtempSync(join(tmpdir(), "cursorwire-unit-"));
		onTestFinished(() => rmSync(folder, { recursive: true }));
		const path = join(folder, "cursorwire.service");
		writeFileSync(path, write({ ...SPEC, command: [process.execPath, "/x y/100%.mjs", "serve"] }));
		// A user manager wants a folder of the session, which a container lacks.
		const env = { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder };
		const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--user", path], { encoding: "utf8", env });
		expect([status, stderr]).toEqual([0, ""]);
	});
});

/** A text without declaration, whose tags all close: enough to find what was not escaped. */
function expectWellFormed(xml: string): void {
	const open: string[] = [];
	for (const [, closing, name, alone] of xml.matchAll(/<(\/?)([A-Za-z]\w*)[^<>]*?(\/?)>/g)) {
		if (closing) expect(open.pop()).toBe(name);
		else if (!alone) open.push(name!);
	}
	expect(open).toEqual([]);
	expect(xml.replaceAll(/<[^<>]*>/g, "").replaceAll(/&(amp|lt|gt|quot|apos);/g, "")).not.toMatch(/[<>&]/);
}

it("launchd gets a property list with every word as it is", () => {
	const { describe: write, file } = MANAGERS.darwin!;
	const plist = write(SPEC);
	expectWellFormed(plist);
	expect(plist).toContain("<string>/opt/my node/node</string>");
	expect(plist).toContain("<string>/opt/100% &quot;safe&quot;/$HOME/&lt;cursorwire&gt;.mjs</string>");
	expect(plist).toContain("<key>CURSORWIRE_DATA_DIR</key>\n\t\t<string>/data &amp; more</string>");
	expect(file(SPEC)).toBe("/home/ada/Library/LaunchAgents/dev.cursorwire.gateway.plist");
});

it("Windows gets a task at logon, without further rights", () => {
	const { describe: write, file, install } = MANAGERS.win32!;
	const spec = { ...SPEC, command: ["C:\\Program Files\\nodejs\\node.exe", "C:\\cw\\cursorwire.mjs", "serve"] };
	const task = write({ ...spec, home: "C:\\Users\\ada" });
	expectWellFormed(task);
	expect(task).toContain("<RunLevel>LeastPrivilege</RunLevel>");
	expect(task).toContain("&quot;C:\\Program Files\\nodejs\\node.exe&quot; C:\\cw\\cursorwire.mjs serve");
	expect(task).toContain("set &quot;CURSORWIRE_DATA_DIR=/data &amp; more&quot;&amp;&amp; ");
	expect(file({ home: "C:\\Users\\ada" })).toBe("C:\\Users\\ada\\AppData\\Roaming\\cursorwire\\cursorwire-task.xml");
	expect(install("f")[0]).toContain("/XML");
});
