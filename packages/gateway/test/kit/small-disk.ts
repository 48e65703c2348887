// A file system of its own that can be full or read only; needs root.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../credentials/folder.ts";

const mount = (...args: string[]) => execFileSync("mount", args, { stdio: "ignore" });

/** Whether this machine lets us mount. */
export const canMount = (() => {
	try {
		execFileSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
})();

export interface SmallDisk {
	folder: string;
	fill(): void;
	makeReadOnly(): void;
}

export function smallDisk(): SmallDisk {
	const folder = temporaryFolder();
	mount("-t", "tmpfs", "-o", "size=256k", "tmpfs", folder);
	onTestFinished(() => void execFileSync("umount", ["-l", folder]));
	return {
		folder,
		fill() {
			try {
				for (let i = 0; ; i++) writeFileSync(join(folder, `filler-${i}`), Buffer.alloc(4096));
			} catch {
				// Full, as intended.
			}
		},
		makeReadOnly: () => mount("-o", "remount,ro", folder),
	};
}
