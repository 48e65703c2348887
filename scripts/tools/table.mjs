// What the tests need beyond Node and the essential packages of Debian. This is the only list of it.

/**
 * @typedef {object} Tool
 * @property {string} package of Debian
 * @property {string[]} commands that prove that it is installed
 * @property {RegExp} use how a source file that uses it itself reads; whoever imports that file needs it too
 */

const starts = (name) => new RegExp(`\\b(spawn|execFile)(Sync)?\\)?\\(\\s*"${name}"`);

/** @type {Tool[]} */
export const TOOLS = [
	{ package: "chromium", commands: ["chromium"], use: /findCommand\("chromium"\)/ },
	{ package: "redis-server", commands: ["redis-server", "redis-cli"], use: starts("redis-(server|cli)") },
	{ package: "haproxy", commands: ["haproxy"], use: starts("haproxy") },
	{ package: "strace", commands: ["strace"], use: starts("strace") },
	{ package: "git", commands: ["git"], use: starts("git") },
	{ package: "curl", commands: ["curl"], use: /\bcurl\b/ },
	{ package: "dbus", commands: ["dbus-run-session", "dbus-send"], use: /\bdbus-(run-session|send)\b/ },
	{ package: "gnome-keyring", commands: ["gnome-keyring-daemon"], use: /\bgnome-keyring-daemon\b/ },
];
