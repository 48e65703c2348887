import { Command } from "commander";
import { helpAsStarted } from "../text/as-started.ts";
import { packageVersion } from "../version.ts";
import { addAskOptions } from "./options/account/ask.ts";
import { addCalibrateOptions } from "./options/account/calibrate.ts";
import { addLoginOptions } from "./options/account/login.ts";
import { addLogoutOptions } from "./options/account/logout.ts";
import { addModelsOptions } from "./options/account/models.ts";
import { addStatusOptions } from "./options/account/status.ts";
import { addUsageOptions } from "./options/account/usage.ts";
import { addConnectOptions, addDisconnectOptions } from "./options/clients/connect.ts";
import { addEnvOptions, addLaunchOptions } from "./options/clients/launch.ts";
import { addMcpOptions } from "./options/clients/mcp.ts";
import { addCompletionCommands } from "./options/completion.ts";
import { addConfigOptions } from "./options/gateway/config.ts";
import { addDemoOptions } from "./options/gateway/demo.ts";
import { addKeysCommands } from "./options/gateway/keys.ts";
import { addLimitsCommands } from "./options/gateway/limits.ts";
import { addLogsOptions } from "./options/gateway/logs.ts";
import { addOpenOptions } from "./options/gateway/open.ts";
import { addServeOptions } from "./options/gateway/serve.ts";
import { addServiceCommands } from "./options/gateway/service.ts";
import { addTopOptions } from "./options/gateway/top.ts";
import { addDoctorOptions } from "./options/health/doctor.ts";
import { addDriftOptions } from "./options/health/drift.ts";
import { later } from "./options/later.ts";
import { EXIT_CODES } from "./process/exit-codes.ts";
import { exampleLines } from "./terminal/examples.ts";

/** The command of the emulator's package. */
type EmulatorCommand = Pick<typeof import("cursorwire-emulator/cli"), "addEmulateOptions" | "emulate">;

/** Commands that somebody waits for. Whoever gives one of them cannot see that `emulate` is missing. */
const WITHOUT_EMULATOR = new Set(["serve", "launch", "env", "mcp"]);

/** The `cursorwire` program. A wrong option gives one line and exit code 2. */
export async function run(argv: string[]): Promise<void> {
	const emulator = WITHOUT_EMULATOR.has(argv[2] ?? "") ? undefined : await import("cursorwire-emulator/cli");
	await buildProgram(emulator).parseAsync(argv);
}

export function buildProgram(emulator?: EmulatorCommand): Command {
	const program = new Command("cursorwire")
		.description("Your own Cursor subscription, from any AI client")
		.version(packageVersion())
		.configureOutput({
			writeOut: (text) => process.stdout.write(helpAsStarted(text)),
			// A command without its subcommand prints its help as an error.
			writeErr: (text) => process.stderr.write(helpAsStarted(text)),
			outputError: (text, write) => write(oneLine(text)),
		})
		.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_CODES.usage.code));

	addDemoOptions(program.command("demo")).action(later(async () => (await import("./commands/gateway/demo.ts")).demo));
	addServeOptions(program.command("serve")).action(
		later(async () => (await import("./commands/gateway/serve.ts")).serve),
	);
	addConnectOptions(program.command("connect")).action(
		later(async () => (await import("./commands/clients/connect.ts")).connect),
	);
	addDisconnectOptions(program.command("disconnect")).action(
		later(async () => (await import("./commands/clients/disconnect.ts")).disconnect),
	);
	addMcpOptions(program.command("mcp")).action(later(async () => (await import("./commands/clients/mcp.ts")).mcp));
	const launch = addLaunchOptions(program.command("launch")).action(
		later(async () => (await import("./commands/clients/launch.ts")).launch),
	);
	addEnvOptions(program.command("env")).action(later(async () => (await import("./commands/clients/env.ts")).env));
	addLoginOptions(program.command("login")).action(
		later(async () => (await import("./commands/account/login.ts")).login),
	);
	addLogoutOptions(program.command("logout")).action(
		later(async () => (await import("./commands/account/logout.ts")).logout),
	);
	addStatusOptions(program.command("status")).action(
		later(async () => (await import("./commands/account/status.ts")).status),
	);
	addModelsOptions(program.command("models")).action(
		later(async () => (await import("./commands/account/models.ts")).models),
	);
	addUsageOptions(program.command("usage")).action(
		later(async () => (await import("./commands/account/usage.ts")).usage),
	);
	addAskOptions(program.command("ask")).action(later(async () => (await import("./commands/account/ask.ts")).ask));
	addCalibrateOptions(program.command("calibrate")).action(
		later(async () => (await import("./commands/account/calibrate.ts")).calibrate),
	);
	addOpenOptions(program.command("open")).action(later(async () => (await import("./commands/gateway/open.ts")).open));
	addLogsOptions(program.command("logs")).action(later(async () => (await import("./commands/gateway/logs.ts")).logs));
	addTopOptions(program.command("top")).action(later(async () => (await import("./commands/gateway/top.ts")).top));
	addDoctorOptions(program.command("doctor")).action(
		later(async () => (await import("./commands/health/doctor.ts")).doctor),
	);
	addDriftOptions(program.command("drift")).action(
		later(async () => (await import("./commands/health/drift.ts")).drift),
	);
	addKeysCommands(program.command("keys"));
	addLimitsCommands(program.command("limits"));
	addConfigOptions(program.command("config")).action(
		later(async () => (await import("./commands/gateway/config.ts")).config),
	);
	addServiceCommands(program.command("service"));
	if (emulator) {
		const command = program.command("emulate").description("run an emulator of Cursor's backend");
		emulator.addEmulateOptions(command).action(emulator.emulate);
	}
	addCompletionCommands(program.command("completion"));
	for (const command of [program, ...program.commands]) addExamples(command);
	launch.configureOutput({ outputError: (text, write) => write(oneLine(text, BEHIND_DASHES)) });
	return program;
}

/** An option that `launch` does not know is most likely one of the client. */
const BEHIND_DASHES =
	"see --help; the client's own options go behind two dashes: `cursorwire launch claude -- -p hello`";

/** Commander's complaint, with the nearest name or where to look. */
function oneLine(text: string, where = "see --help"): string {
	const [problem, suggestion] = text
		.trim()
		.replace(/^error: /, "")
		.split("\n");
	return `${problem} ${suggestion?.startsWith("(Did you mean") ? suggestion : `(${where})`}\n`;
}

function addExamples(command: Command): void {
	const lines = exampleLines(command.name()).map((line) => `  ${line}`);
	if (lines.length > 0) command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
	for (const each of command.commands) {
		each.configureOutput(command.configureOutput());
		each.showHelpAfterError(false);
	}
}
