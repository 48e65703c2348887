import { join } from "node:path";
import type { ServiceManager } from "./service.ts";

const UNIT = "cursorwire.service";

/** A user unit, with the user's rights and without any way to gain more. */
export const systemd: ServiceManager = {
	name: "systemd",
	file: ({ home }) => join(home, ".config", "systemd", "user", UNIT),
	describe: ({ command, environment }) => `[Unit]
Description=Cursorwire, a local gateway to Cursor

[Service]
ExecStart=${command.map(quote).join(" ")}
${Object.entries(environment)
	.map(([name, value]) => `Environment=${quote(`${name}=${value}`)}\n`)
	.join("")}Restart=on-failure
RestartSec=2
# Open responses may take this long to end.
TimeoutStopSec=45
NoNewPrivileges=true
UMask=0077

[Install]
WantedBy=default.target
`,
	install: () => [
		["systemctl", "--user", "daemon-reload"],
		["systemctl", "--user", "enable", "--now", UNIT],
	],
	uninstall: () => [["systemctl", "--user", "disable", "--now", UNIT]],
	afterRemoval: [["systemctl", "--user", "daemon-reload"]],
	status: () => ["systemctl", "--user", "is-active", UNIT],
	logs: `journalctl --user -u ${UNIT}`,
};

/** A word in systemd's quotes, with its specifiers and variables escaped. */
function quote(word: string): string {
	const escaped = word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$");
	return `"${escaped.replaceAll("\n", "\\n")}"`;
}
