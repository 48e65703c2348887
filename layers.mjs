// Which folder of packages/gateway/src may import from which. `.dependency-cruiser.mjs` enforces it, and
// docs/architecture.md shows it. Each row names what a folder needs and nothing else, so that a new arrow between two
// folders is a decision and not an accident.
export const MAY_IMPORT = {
	time: [],
	text: ["time"],
	turn: ["text", "time"],
	tokens: ["turn", "text", "time"],
	files: ["turn", "text", "time"],
	config: ["turn"],
	observe: ["text", "time"],
	wire: ["text", "time"],
	store: ["files", "observe", "wire", "text", "time"],
	credentials: ["config", "files", "wire", "turn", "text", "time"],
	upstream: ["wire", "turn", "text", "time"],
	record: ["upstream", "text"],
	sessions: ["upstream", "store", "turn", "text", "time"],
	output: ["sessions", "tokens", "turn", "text", "time"],
	dialects: ["tokens", "turn", "text", "time"],
	access: ["config", "store", "turn", "time"],
	server: ["access", "observe", "turn", "text", "time"],
	turns: ["access", "dialects", "server", "observe", "output", "sessions", "store", "tokens", "turn", "text", "time"],
	routes: ["turns", "dialects", "server", "access", "sessions", "upstream", "store", "observe", "turn", "text", "time"],
	page: ["routes", "turns", "server", "access", "sessions", "upstream", "store", "observe", "turn", "text", "time"],
	calibrate: ["app", "config", "credentials", "upstream", "tokens", "turn", "time"],
	connect: ["config", "turn"],
	doctor: ["app", "calibrate", "connect", "config", "credentials", "observe", "upstream", "wire", "turn", "text"],
	service: [],
};

/** Folders that put the others together and may import all of them. Nothing below them imports these. */
export const ON_TOP = ["app", "cli"];
