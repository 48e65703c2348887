import { launchd } from "./launchd.ts";
import type { ServiceManager } from "./service.ts";
import { systemd } from "./systemd.ts";
import { windowsTask } from "./windows-task.ts";

/** The service manager of each system. */
export const MANAGERS: Partial<Record<NodeJS.Platform, ServiceManager>> = {
	linux: systemd,
	darwin: launchd,
	win32: windowsTask,
};
