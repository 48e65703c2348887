import { type Command, Option } from "commander";
import { MANAGERS } from "../../../service/managers.ts";
import { later } from "../later.ts";

export function addServiceCommands(command: Command): Command {
	command.description("run the gateway from login to logout: systemd, launchd or the Windows Task Scheduler");
	command
		.command("install")
		.description("install and start it as your service; run it again to apply new settings")
		.option("--print", "print the service's description and change nothing")
		.addOption(new Option("--system <name>", "with --print: linux, darwin or win32").choices(Object.keys(MANAGERS)))
		.action(later(async () => (await import("../../commands/gateway/service.ts")).installService));
	command
		.command("uninstall")
		.description("stop and remove it")
		.action(later(async () => (await import("../../commands/gateway/service.ts")).uninstallService));
	command
		.command("status")
		.description("show whether it is installed and running")
		.option("--json", "as one JSON object")
		.action(later(async () => (await import("../../commands/gateway/service.ts")).serviceStatus));
	return command;
}
