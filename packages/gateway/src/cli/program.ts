import { Command } from "commander";
import { addEmulateOptions, emulate } from "cursorwire-emulator/cli";
import { helpAsStarted } from "../text/as-started.ts";
import { packageVersion } from "../version.ts";
import { addAskOptions } from "./options/ask.ts";
import { addCalibrateOptions } from "./options/calibrate.ts";
import { addCompletionCommands } from "./options/completion.ts";
import { addConfigOptions } from "./options/config.ts";
import { addConnectOptions, addDisconnectOptions } from "./options/connect.ts";
import { addDemoOptions } from "./options/demo.ts";
import { addDoctorOptions } from "./options/doctor.ts";
import { addDriftOptions } from "./options/drift.ts";
import { addKeysCommands } from "./options/keys.ts";
import { later } from "./options/later.ts";
import { addLoginOptions } from "./options/login.ts";
import { addLogoutOptions } from "./options/logout.ts";
import { addLogsOptions } from "./options/logs.ts";
import { addModelsOptions } from "./options/models.ts";
import { addOpenOptions } from "./options/open.ts";
import { addServeOptions } from "./options/serve.ts";
import { addServiceCommands } from "./options/service.ts";
import { addStatusOptions } from "./options/status.ts";
import { addTopOptions } from "./options/top.ts";
import { addUsageOptions } from "./options/usage.ts";
import { EXIT_CODES } from "./process/exit-codes.ts";
import { EXAMPLES } from "./terminal/examples.ts";

/** The `cursorwire` program. A wrong option gives one line and exit code 2. */
export async function run(argv: string[]): Promise<void> {
	await buildProgram().parseAsync(argv);
}

export function buildProgram(): Command {
	const program = new Command("cursorwire")
		.description("Your own Cursor subscription, from any AI client")
		.version(packageVersion())
		.configureOutput({
			writeOut: (text) => process.stdout.write(helpAsStarted(text)),
			outputError: (text, write) => write(oneLine(text)),
		})
		.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_CODES.usage.code));

	addDemoOptions(program.command("demo")).action(later(async () => (await import("./commands/demo.ts")).demo));
	addServeOptions(program.command("serve")).action(later(async () => (await import("./commands/serve.ts")).serve));
	addConnectOptions(program.command("connect")).action(
		later(async () => (await import("./commands/connect.ts")).connect),
	);
	addDisconnectOptions(program.command("disconnect")).action(
		later(async () => (await import("./commands/disconnect.ts")).disconnect),
	);
	addLoginOptions(program.command("login")).action(later(async () => (await import("./commands/login.ts")).login));
	addLogoutOptions(program.command("logout")).action(later(async () => (await import("./commands/logout.ts")).logout));
	addStatusOptions(program.command("status")).action(later(async () => (await import("./commands/status.ts")).status));
	addModelsOptions(program.command("models")).action(later(async () => (await import("./commands/models.ts")).models));
	addUsageOptions(program.command("usage")).action(later(async () => (await import("./commands/usage.ts")).usage));
	addAskOptions(program.command("ask")).action(later(async () => (await import("./commands/ask.ts")).ask));
	addCalibrateOptions(program.command("calibrate")).action(
		later(async () => (await import("./commands/calibrate.ts")).calibrate),
	);
	addOpenOptions(program.command("open")).action(later(async () => (await import("./commands/open.ts")).open));
	addLogsOptions(program.command("logs")).action(later(async () => (await import("./commands/logs.ts")).logs));
	addTopOptions(program.command("top")).action(later(async () => (await import("./commands/top.ts")).top));
	addDoctorOptions(program.command("doctor")).action(later(async () => (await import("./commands/doctor.ts")).doctor));
	addDriftOptions(program.command("drift")).action(later(async () => (await import("./commands/drift.ts")).drift));
	addKeysCommands(program.command("keys"));
	addConfigOptions(program.command("config")).action(later(async () => (await import("./commands/config.ts")).config));
	addServiceCommands(program.command("service"));
	addEmulateOptions(program.command("emulate").description("run an emulator of Cursor's backend")).action(emulate);
	addCompletionCommands(program.command("completion"));
	for (const command of [program, ...program.commands]) addExamples(command);
	return program;
}

/** Commander's complaint, with the nearest name or where to look. */
function oneLine(text: string): string {
	const [problem, suggestion] = text
		.trim()
		.replace(/^error: /, "")
		.split("\n");
	return `${problem} ${suggestion?.startsWith("(Did you mean") ? suggestion : "(see --help)"}\n`;
}

function addExamples(command: Command): void {
	const examples = EXAMPLES[command.name()] ?? [];
	const lines = examples.map(([line, about]) => `  ${line.padEnd(46)}${about}`);
	if (lines.length > 0) command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
	for (const each of command.commands) {
		each.configureOutput(command.configureOutput());
		each.showHelpAfterError(false);
	}
}
