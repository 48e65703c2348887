// The layers of the packages: a failing line here names the rule and the import that broke it.
import { MAY_IMPORT } from "./layers.mjs";

const inside = (path) => `^packages/gateway/src/${path}`;
const TESTS = "\\.test\\.ts$";

/** A rule per row of the table: whatever is not named there is forbidden. The program itself is in no folder. */
const folderRules = Object.entries(MAY_IMPORT).map(([folder, others]) => ({
	name: `${folder}-imports-its-row`,
	comment: `${folder} may import ${others.join(", ") || "no other folder"}. The table is in layers.mjs.`,
	severity: "error",
	from: { path: inside(`${folder}/`), pathNot: TESTS },
	to: { path: inside("[^/]+/"), pathNot: inside(`(${[folder, ...others].join("|")})/`) },
}));

/** A process listens here so that others see that it runs; nothing is ever sent. */
const LOCAL_SOCKET = inside("launch/alive-signal\\.ts$");

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
	forbidden: [
		{
			name: "no-circular",
			comment: "A cycle hides which side owns the concept.",
			severity: "error",
			from: { pathNot: "/src/gen/" },
			to: { circular: true },
		},
		{
			name: "protocol-is-a-leaf",
			severity: "error",
			from: { path: "^packages/protocol/" },
			to: { path: "^packages/(gateway|emulator)/" },
		},
		{
			name: "emulator-never-imports-gateway",
			comment: "An oracle that shares code with its subject proves nothing.",
			severity: "error",
			from: { path: "^packages/emulator/" },
			to: { path: "^packages/gateway/" },
		},
		{
			name: "gateway-reaches-emulator-only-from-cli",
			severity: "error",
			from: { path: inside(""), pathNot: [inside("cli/"), "\\.test\\.ts$"] },
			to: { path: "^packages/emulator/" },
		},
		{
			name: "plugin-knows-one-door",
			comment: "The OpenCode plugin finds or starts the gateway, and nothing else.",
			severity: "error",
			from: { path: "^packages/opencode/src/" },
			to: { path: "^packages/(?!opencode/)", pathNot: inside("local\\.ts$") },
		},
		{
			name: "page-knows-the-contract",
			comment: "The page runs in a browser. All it shares with the gateway are the types of what they say.",
			severity: "error",
			from: { path: "^packages/page/src/" },
			to: { path: "^packages/(?!page/)|^(node:)", pathNot: [inside("page/contract\\.ts$")] },
		},
		{
			name: "gateway-builds-the-page",
			comment: "The gateway serves the page and knows nothing of its parts.",
			severity: "error",
			from: { path: inside("") },
			to: { path: "^packages/page/(src|dev)/" },
		},
		{
			name: "wire-knows-bytes-only",
			comment: "The wire layer knows no message type.",
			severity: "error",
			from: { path: inside("wire/"), pathNot: TESTS },
			to: { path: "^packages/(protocol|emulator)/" },
		},
		{
			name: "app-never-imports-the-commands",
			severity: "error",
			from: { path: inside("app/"), pathNot: TESTS },
			to: { path: inside("(cli|connect|doctor|service)/") },
		},
		...folderRules,
		{
			name: "only-wire-and-channels-touch-sockets",
			severity: "error",
			from: { path: inside(""), pathNot: [inside("(wire|upstream/channels)/"), LOCAL_SOCKET, "\\.test\\.ts$"] },
			to: { path: "^(node:)?(http2|tls|net)$" },
		},
	],
	options: {
		doNotFollow: { path: "node_modules" },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: "tsconfig.json" },
		exclude: { path: "/(node_modules|conformance/cache)/" },
		enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
	},
};
