// Commands inside a root file system, in namespaces of their own: what they mount and start is gone when they end.
import { spawn } from "node:child_process";
import { CLONE } from "./root.mjs";

const NAMESPACES = ["--mount", "--pid", "--fork", "--kill-child"];

/** The root, then the command. */
const ENTER = `set -e
mount -t proc proc "$0/proc"
mount -t sysfs sysfs "$0/sys"
mount --rbind /dev "$0/dev"
mount -t tmpfs tmpfs "$0/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"
exec chroot "$0" /bin/sh -c "cd ${CLONE} && $1"`;

/** How a network is reached is the machine's matter; everything else inside is as on a new one. */
const PASSED_ON = /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|npm_config_registry)$/i;

/** @returns {import("node:child_process").ChildProcess} its output is piped */
export function startInside(root, command) {
	const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
	return spawn("unshare", [...NAMESPACES, "sh", "-c", ENTER, root, command], {
		stdio: ["ignore", "pipe", "pipe"],
		env: { ...env, PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root" },
	});
}
