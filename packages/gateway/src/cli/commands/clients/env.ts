import { readPlaces } from "../../../config/places.ts";
import { SettingError } from "../../../config/settings.ts";
import { LAUNCH_CLIENTS, launchClient } from "../../../launch/clients.ts";
import type { Variables } from "../../../launch/launch-client.ts";
import { SHELLS, type ShellName, shellLines } from "../../../launch/shell-lines.ts";
import { pastProxies, usualVariables } from "../../../launch/usual-variables.ts";
import { chooseGateway } from "../../gateway/find-gateway.ts";
import { offeredModels } from "../../gateway/offered-models.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import type { EnvFlags } from "../../options/clients/launch.ts";
import { runCommand } from "../../process/run-command.ts";

/**
 * `cursorwire env`: the variables alone, with the key of the gateway. A key of its own would have to be revoked by
 * somebody, and nobody knows how long a shell lives (ADR 50).
 */
export function env(name: string | undefined, flags: EnvFlags): Promise<void> {
	return runCommand(async (signal) => {
		const shell = shellOf(flags.shell);
		const variablesOf = name === undefined ? usualVariables : variablesOfClient(name);
		const { settings } = loadHomeSettings();
		const { url, key } = chooseGateway(settings, flags);
		const models = await offeredModels({ url, key }, flags.model, signal);
		const variables: Variables = {
			...pastProxies(url, process.env),
			...variablesOf({ url, key, model: flags.model, models }),
		};
		// As bytes, because they are not words of this program, in which commands would be put into another form.
		process.stdout.write(Buffer.from(shellLines(variables, shell)));
	});
}

function variablesOfClient(name: string): typeof usualVariables {
	const client = launchClient(name);
	if (!client) {
		throw new SettingError(
			`"${name}" is not known; choose one of ${namesForVariables().join(", ")}, or none for the usual variables`,
		);
	}
	if (!client.needsMore) return (target) => client.variables(target);
	throw new SettingError(
		`${client.name} needs more than variables: run \`cursorwire launch ${name}\`, or set it up with \`cursorwire connect ${name}\``,
	);
}

const namesForVariables = () => Object.keys(LAUNCH_CLIENTS).filter((name) => !LAUNCH_CLIENTS[name]!.needsMore);

function shellOf(name: string | undefined): ShellName {
	if (name === undefined) return readPlaces().platform === "win32" ? "powershell" : "sh";
	if ((SHELLS as string[]).includes(name)) return name as ShellName;
	throw new SettingError(`--shell: takes ${SHELLS.join(", ")}, not "${name}"`);
}
