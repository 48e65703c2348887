import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { findGateway } from "../../../app/discovery.ts";
import { readPlaces } from "../../../config/places.ts";
import type { SettingName } from "../../../config/setting-table.ts";
import { type LoadedSettings, SettingError } from "../../../config/settings.ts";
import { SECRET_SETTINGS } from "../../../doctor/report.ts";
import { MANAGERS } from "../../../service/managers.ts";
import type { ServiceManager, ServiceSpec } from "../../../service/service.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import { EXIT_CODES } from "../../process/exit-codes.ts";
import { runCommand } from "../../process/run-command.ts";
import { programForService } from "../../service-program.ts";
import { variableOf } from "./config.ts";

interface ServiceFlags {
	print?: boolean;
	json?: boolean;
	/** Print what another system would get; only with `--print`. */
	system?: NodeJS.Platform;
}

export function installService(flags: ServiceFlags): Promise<void> {
	return runCommand(async () => {
		if (flags.system && !flags.print) throw new SettingError("--system goes with --print only");
		const manager = managerOf(flags.system ?? process.platform);
		const loaded = loadHomeSettings();
		const { command, notes } = programForService();
		const { spec, secrets } = specOf(loaded, command);
		if (flags.print) {
			process.stdout.write(manager.describe(spec));
			for (const note of notes) console.error(`note: ${note}`);
			return;
		}
		const file = manager.file(spec);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, manager.describe(spec), { mode: 0o600 });
		console.log(`Written: ${file}`);
		for (const words of manager.install(file)) execute(words, file);
		console.log(`The gateway is running, and will start at each login. Its log: ${manager.logs}`);
		for (const note of notes) console.log(`  note: ${note}`);
		for (const name of secrets) {
			console.log(
				`  note: ${name} is not passed to the service, because it would be stored in that file. Use \`cursorwire login\`.`,
			);
		}
	});
}

export function uninstallService(): Promise<void> {
	return runCommand(async () => {
		const manager = managerOf(process.platform);
		const file = manager.file(readPlaces());
		if (!existsSync(file)) return console.log("No service is installed.");
		for (const words of manager.uninstall(file)) execute(words, file, "goes on");
		rmSync(file, { force: true });
		for (const words of manager.afterRemoval ?? []) execute(words, file, "goes on");
		console.log(`The service is removed, and so is ${file}.`);
	});
}

export function serviceStatus({ json }: ServiceFlags): Promise<void> {
	return runCommand(async () => {
		const manager = managerOf(process.platform);
		const file = manager.file(readPlaces());
		const installed = existsSync(file);
		const [program = "", ...args] = manager.status(file);
		const running = installed && spawnSync(program, args, { stdio: "ignore" }).status === 0;
		const { settings } = loadHomeSettings();
		const gateway = findGateway(settings.dataDir)?.url;
		if (json) console.log(JSON.stringify({ manager: manager.name, file, installed, running, gateway }));
		else {
			console.log(installed ? `Installed with ${manager.name}: ${file}` : "No service is installed.");
			if (installed)
				console.log(
					running ? `It runs${gateway ? `, at ${gateway}` : ""}.` : `It does not run. Its log: ${manager.logs}`,
				);
			else if (gateway) console.log(`A gateway that was started by hand runs at ${gateway}.`);
		}
		if (!running) process.exitCode = EXIT_CODES.noGateway.code;
	});
}

function managerOf(platform: NodeJS.Platform): ServiceManager {
	const manager = MANAGERS[platform];
	if (manager) return manager;
	throw new SettingError(
		`services are not supported on ${platform}; start \`cursorwire serve\` with the tools of the system`,
	);
}

/** The service gets the shell's variables that set something, except secrets, which do not belong in its file. */
function specOf(
	{ sources, settings }: LoadedSettings,
	program: readonly string[],
): { spec: ServiceSpec; secrets: string[] } {
	const { home, variable } = readPlaces();
	const names = (Object.keys(sources) as SettingName[]).filter((name) => sources[name] === "environment");
	const fromShell = names.map((name) => [name, variableOf(name, variable)] as const).filter(([, key]) => variable(key));
	const plain = fromShell.filter(([name]) => !SECRET_SETTINGS.has(name)).map(([, key]) => [key, variable(key)]);
	const named = variable("CURSORWIRE_CONFIG");
	return {
		secrets: fromShell.filter(([name]) => SECRET_SETTINGS.has(name)).map(([, key]) => key),
		spec: {
			command: [...program, "serve", "--port", String(settings.port)],
			environment: { ...Object.fromEntries(plain), ...(named && { CURSORWIRE_CONFIG: named }) },
			home,
			user: userInfo().username,
		},
	};
}

function execute([program = "", ...args]: string[], file: string, onFailure: "stops" | "goes on" = "stops"): void {
	const { status, error, stderr } = spawnSync(program, args, { encoding: "utf8" });
	if (status === 0 || onFailure === "goes on") return;
	const reason = error ? (error as NodeJS.ErrnoException).code : stderr.trim().split("\n")[0];
	const line = [program, ...args].join(" ");
	throw new SettingError(
		`\`${line}\` failed (${reason}). ${file} is written; run that command in a session that can manage services`,
	);
}
