import { Command } from "commander";
import { addEmulateOptions, emulate } from "cursorwire-emulator/cli";
import { openUpstreamSide } from "../app/open-upstream.ts";
import type { Settings } from "../config/settings.ts";
import { helpAsStarted } from "../text/as-started.ts";
import { packageVersion } from "../version.ts";
import type { AccountCommandContext } from "./account-command.ts";
import { addCalibrateOptions, type CalibrateFlags } from "./calibrate-options.ts";
import { addAskOptions, ask } from "./commands/ask.ts";
import { addCompletionCommands } from "./commands/completion.ts";
import { addConfigOptions, config } from "./commands/config.ts";
import { addDemoOptions, demo } from "./commands/demo.ts";
import { addDoctorOptions, doctor } from "./commands/doctor.ts";
import { addDriftOptions, drift } from "./commands/drift.ts";
import { addKeysCommands } from "./commands/keys.ts";
import { addLoginOptions, login } from "./commands/login.ts";
import { addLogoutOptions, logout } from "./commands/logout.ts";
import { addLogsOptions, logs } from "./commands/logs.ts";
import { addModelsOptions, type ModelsOptions, showModels } from "./commands/models.ts";
import { addServeOptions, serve } from "./commands/serve.ts";
import { addServiceCommands } from "./commands/service.ts";
import { addStatusOptions, status } from "./commands/status.ts";
import { addTopOptions, top } from "./commands/top.ts";
import { addUsageOptions, showUsage, type UsageOptions } from "./commands/usage.ts";
import { addConnectOptions, addDisconnectOptions, type ConnectFlags, type DisconnectFlags } from "./connect-options.ts";
import { loadHomeSettings } from "./home-settings.ts";
import { EXIT_CODES } from "./process/exit-codes.ts";
import { runCommand } from "./process/run-command.ts";
import { EXAMPLES } from "./terminal/examples.ts";
import { readToday } from "./today.ts";

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

	addDemoOptions(program.command("demo")).action(demo);
	addServeOptions(program.command("serve")).action(serve);
	addConnectOptions(program.command("connect")).action(async (client: string | undefined, flags: ConnectFlags) =>
		(await import("./commands/connect.ts")).connect(client, flags),
	);
	addDisconnectOptions(program.command("disconnect")).action(
		async (client: string | undefined, flags: DisconnectFlags) =>
			(await import("./commands/disconnect.ts")).disconnect(client, flags),
	);
	addLoginOptions(program.command("login")).action(login);
	addLogoutOptions(program.command("logout")).action(logout);
	addStatusOptions(program.command("status")).action(status);
	addModelsOptions(program.command("models").description("list the models of your account")).action(
		(options: ModelsOptions) => withAccount((context) => showModels(context, options)),
	);
	addUsageOptions(program.command("usage").description("show plan and quota, and what this gateway used today")).action(
		(options: UsageOptions) =>
			withAccount((context, settings) =>
				showUsage({ ...context, today: () => readToday(settings, Date.now()) }, options),
			),
	);
	addAskOptions(program.command("ask")).action(ask);
	addCalibrateOptions(program.command("calibrate")).action(async (flags: CalibrateFlags) =>
		(await import("./commands/calibrate.ts")).calibrate(flags),
	);
	addLogsOptions(program.command("logs")).action(logs);
	addTopOptions(program.command("top")).action(top);
	addDoctorOptions(program.command("doctor")).action(doctor);
	addDriftOptions(program.command("drift")).action(drift);
	addKeysCommands(program.command("keys"));
	addConfigOptions(program.command("config")).action(config);
	addServiceCommands(program.command("service"));
	addEmulateOptions(program.command("emulate").description("run an emulator of Cursor's backend")).action(emulate);
	addCompletionCommands(program.command("completion"), program);
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

/** Runs a command about this installation's account. */
function withAccount(command: (context: AccountCommandContext, settings: Settings) => Promise<number>): Promise<void> {
	return runCommand(async (signal) => {
		const { settings } = loadHomeSettings();
		const upstream = await openUpstreamSide(settings);
		try {
			const { facts } = await upstream.ownAccount();
			const context = { facts, now: Date.now, stdout: process.stdout, stderr: process.stderr, signal };
			process.exitCode = await command(context, settings);
		} finally {
			await upstream.close();
		}
	});
}
