import { spawn } from "node:child_process";

const PROGRAMS: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
	darwin: ["open"],
	win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens a page in the user's browser. False if no program for it could be started; no shell sees the URL. */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
	const [command, ...args] = PROGRAMS[platform] ?? ["xdg-open"];
	return new Promise((resolve) => {
		const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
		child.once("error", () => resolve(false));
		child.once("spawn", () => {
			child.unref();
			resolve(true);
		});
	});
}
