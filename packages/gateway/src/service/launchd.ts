import { join } from "node:path";
import type { ServiceManager } from "./service.ts";
import { escapeXml } from "./xml.ts";

const LABEL = "dev.cursorwire.gateway";

/** A launch agent in the user's session. */
export const launchd: ServiceManager = {
	name: "launchd",
	file: ({ home }) => join(home, "Library", "LaunchAgents", `${LABEL}.plist`),
	describe: ({ command, environment, home }) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>${LABEL}</string>
	<key>ProgramArguments</key>
	<array>
${command.map((word) => `		<string>${escapeXml(word)}</string>\n`).join("")}	</array>
	<key>EnvironmentVariables</key>
	<dict>
${Object.entries(environment)
	.map(([name, value]) => `		<key>${escapeXml(name)}</key>\n		<string>${escapeXml(value)}</string>\n`)
	.join("")}	</dict>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>Umask</key>
	<integer>63</integer>
	<key>ExitTimeOut</key>
	<integer>45</integer>
	<key>StandardOutPath</key>
	<string>${escapeXml(logIn(home))}</string>
	<key>StandardErrorPath</key>
	<string>${escapeXml(logIn(home))}</string>
</dict>
</plist>
`,
	install: (file) => [["launchctl", "load", "-w", file]],
	uninstall: (file) => [["launchctl", "unload", "-w", file]],
	status: () => ["launchctl", "list", LABEL],
	logs: "~/Library/Logs/cursorwire.log",
};

const logIn = (home: string): string => join(home, "Library", "Logs", "cursorwire.log");
