// A real keychain: gnome-keyring on a D-Bus session of its own, with one unlocked keyring in an empty home.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./program.ts";

/** The commands that this needs, with the Debian packages they come in. */
const NEEDED = { "dbus-run-session": "dbus", "dbus-send": "dbus", "gnome-keyring-daemon": "gnome-keyring" };

const SERVICE = "org.freedesktop.secrets";
const PROMPTER = "org.gnome.keyring.SystemPrompter";

export interface SecretService {
	/** What a program needs to find it. */
	env: { DBUS_SESSION_BUS_ADDRESS: string };
	lock(): void;
	/** How many entries of this service there are, locked or not. */
	entries(service: string): number;
}

/** `silent`: the program that would ask a person for the keyring's password never says anything. */
export async function startSecretService({ prompter }: { prompter?: "silent" } = {}): Promise<SecretService> {
	requireCommands();
	const folder = temporaryFolder();
	const config = writeBusConfig(folder, prompter === "silent" ? { [PROMPTER]: "/bin/sleep 3600" } : {});
	const script = "gnome-keyring-daemon --unlock --components=secrets >&2 && echo $DBUS_SESSION_BUS_ADDRESS && cat";
	const child = spawn("dbus-run-session", [`--config-file=${config}`, "--", "sh", "-c", `printf pass | ${script}`], {
		env: { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder },
		detached: true,
	});
	onTestFinished(() => void process.kill(-child.pid!, "SIGKILL"));
	const address = await new Promise<string>((resolve, reject) => {
		let err = "";
		child.stderr.on("data", (chunk) => {
			err += chunk;
		});
		child.stdout.once("data", (chunk) => resolve(String(chunk).trim()));
		child.once("close", (code) => reject(new Error(`dbus-run-session ended with ${code}: ${err}`)));
	});
	const env = { DBUS_SESSION_BUS_ADDRESS: address };
	const call = (method: string, argument: string) => {
		const target = [`--dest=${SERVICE}`, "/org/freedesktop/secrets", `org.freedesktop.Secret.Service.${method}`];
		return execFileSync("dbus-send", ["--session", "--print-reply", ...target, argument], { env, encoding: "utf8" });
	};
	return {
		env,
		lock: () => void call("Lock", "array:objpath:/org/freedesktop/secrets/collection/login"),
		entries: (service) =>
			call("SearchItems", `dict:string:string:service,${service}`).match(/object path "/g)?.length ?? 0,
	};
}

function requireCommands(): void {
	const missing = Object.entries(NEEDED).filter(([command]) => spawnSync("which", [command]).status !== 0);
	if (missing.length === 0) return;
	const packages = [...new Set(missing.map(([, name]) => name))].join(" ");
	const commands = missing.map(([command]) => command).join(", ");
	throw new Error(
		`This test needs ${commands}: install the Debian packages ${packages} (apt-get install ${packages}).`,
	);
}

/** A bus that starts only these services, and never gives up waiting for one. */
function writeBusConfig(folder: string, services: Record<string, string>): string {
	const serviceFolder = join(folder, "services");
	mkdirSync(serviceFolder);
	for (const [name, command] of Object.entries(services)) {
		writeFileSync(join(serviceFolder, `${name}.service`), `[D-BUS Service]\nName=${name}\nExec=${command}\n`);
	}
	const file = join(folder, "bus.conf");
	writeFileSync(
		file,
		`<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
			"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
		<busconfig>
			<type>session</type>
			<listen>unix:tmpdir=${folder}</listen>
			<auth>EXTERNAL</auth>
			<servicedir>${serviceFolder}</servicedir>
			<limit name="service_start_timeout">3600000</limit>
			<policy context="default">
				<allow send_destination="*" eavesdrop="true"/>
				<allow eavesdrop="true"/>
				<allow own="*"/>
			</policy>
		</busconfig>`,
	);
	return file;
}
