import { Command } from "commander";
import { addEmulateOptions, emulate } from "cursorwire-emulator/cli";
import { openUpstreamSide } from "../app/upstream.ts";
import { loadSettings } from "../config/settings.ts";
import { packageVersion } from "../version.ts";
import type { AccountCommandContext } from "./account-command.ts";
import { addAskOptions, ask } from "./ask.ts";
import { addConnectOptions, connect } from "./connect.ts";
import { addDemoOptions, demo } from "./demo.ts";
import { addDisconnectOptions, disconnect } from "./disconnect.ts";
import { addDoctorOptions, doctor } from "./doctor.ts";
import { addKeysOptions, keys } from "./keys.ts";
import { addLoginOptions, login } from "./login.ts";
import { addLogoutOptions, logout } from "./logout.ts";
import { addModelsOptions, type ModelsOptions, showModels } from "./models.ts";
import { runCommand } from "./run-command.ts";
import { addServeOptions, serve } from "./serve.ts";
import { addStatusOptions, status } from "./status.ts";
import { addUsageOptions, showUsage, type UsageOptions } from "./usage.ts";

/** The `cursorwire` program. A wrong option ends in one line and exit code 2. */
export async function run(argv: string[]): Promise<void> {
	const program = new Command("cursorwire")
		.description("Your own Cursor subscription, from any AI client")
		.version(packageVersion())
		.showHelpAfterError("(--help lists the options)")
		.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

	addDemoOptions(program.command("demo")).action(demo);
	addServeOptions(program.command("serve")).action(serve);
	addConnectOptions(program.command("connect")).action(connect);
	addDisconnectOptions(program.command("disconnect")).action(disconnect);
	addKeysOptions(program.command("keys")).action(keys);
	addLoginOptions(program.command("login")).action(login);
	addLogoutOptions(program.command("logout")).action(logout);
	addStatusOptions(program.command("status")).action(status);
	addModelsOptions(program.command("models").description("list the models of your account")).action(
		(options: ModelsOptions) => withAccount((context) => showModels(context, options)),
	);
	addUsageOptions(program.command("usage").description("show plan and quota of your account")).action(
		(options: UsageOptions) => withAccount((context) => showUsage(context, options)),
	);
	addDoctorOptions(program.command("doctor")).action(doctor);
	addAskOptions(program.command("ask")).action(ask);
	addEmulateOptions(program.command("emulate").description("run Cursor's backend in a box")).action(emulate);

	await program.parseAsync(argv);
}

/** Runs a command about the account of this installation. */
function withAccount(command: (context: AccountCommandContext) => Promise<number>): Promise<void> {
	return runCommand(async () => {
		const upstream = await openUpstreamSide(loadSettings().settings);
		try {
			const { facts } = await upstream.ownAccount();
			process.exitCode = await command({ facts, now: Date.now, stdout: process.stdout, stderr: process.stderr });
		} finally {
			await upstream.close();
		}
	});
}
