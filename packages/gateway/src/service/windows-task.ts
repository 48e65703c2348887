import { win32 } from "node:path";
import type { ServiceManager } from "./service.ts";
import { escapeXml } from "./xml.ts";

const TASK = "Cursorwire";

/** A scheduled task that starts at the user's logon, without a window and without elevated rights. */
export const windowsTask: ServiceManager = {
	name: "the Task Scheduler",
	file: ({ home }) => win32.join(home, "AppData", "Roaming", "cursorwire", "cursorwire-task.xml"),
	describe({ command: [program = "", ...args], environment, user }) {
		// A task cannot have environment variables, so the shell sets them.
		const settings = Object.entries(environment).map(([name, value]) => `set "${name}=${value}"&& `);
		const line = `/d /s /c "${settings.join("")}${[program, ...args].map(quote).join(" ")}"`;
		return `<?xml version="1.0"?>
<Task version="1.3" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Cursorwire, a local gateway to Cursor</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${escapeXml(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapeXml(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Hidden>true</Hidden>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>10</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>cmd.exe</Command>
      <Arguments>${escapeXml(line)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
	},
	install: (file) => [
		["schtasks", "/Create", "/F", "/TN", TASK, "/XML", file],
		["schtasks", "/Run", "/TN", TASK],
	],
	uninstall: () => [
		["schtasks", "/End", "/TN", TASK],
		["schtasks", "/Delete", "/F", "/TN", TASK],
	],
	status: () => ["schtasks", "/Query", "/TN", TASK],
	logs: "`cursorwire doctor`",
};

const quote = (word: string): string => (/[\s&"]/.test(word) ? `"${word}"` : word);
