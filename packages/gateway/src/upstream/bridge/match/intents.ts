/** What a built-in request wants to do, in terms that can be compared with any client's tools. */
export type IntentName = "run" | "read" | "write" | "edit" | "delete" | "list" | "search" | "find" | "fetch";

export interface Intent {
	/** Words that express the intent by themselves in a tool's name. */
	verbs: readonly string[];
	/** Words that express it together with one of `objects`. */
	weakVerbs: readonly string[];
	objects: readonly string[];
	/** Words in a name that show the tool is for something else. */
	foreign: readonly string[];
	/** Matches descriptions that express the intent. */
	about: RegExp;
	/** Matches descriptions of similar tools with another purpose. Counts only if the name does not settle it. */
	unlike?: RegExp;
	/** Values of an `action` parameter, for a tool that does several things. */
	actions: readonly string[];
	/** Which tools to suggest to the model when the request cannot be bridged, closest meaning first. */
	instead: readonly IntentName[];
}

const words = (list: string): string[] => list.split(" ");

// Things other than files that tools read, write, list or delete.
const ELSEWHERE = words(
	"todo todos memory memories notebook image images skill skills plan agent agents task tasks team teams session sessions " +
		"issue issues comment comments pr pull branch branches commit commits repo repository email message messages thread " +
		"conversation conversations entity entities relation relations database db table sql cron worktree rule rules browser",
);

export const INTENTS: Readonly<Record<IntentName, Intent>> = {
	run: {
		verbs: words("bash shell sh zsh terminal cmd powershell pwsh command commands console"),
		weakVerbs: words("run exec execute"),
		objects: words("process script program"),
		foreign: words(
			"output kill stop stdin input status log logs history list read write wait check sql python javascript js code browser " +
				"slash skill agent task tasks tool query test tests notebook",
		),
		about: /\b(run|runs|execut\w+|invok\w+)\b.{0,60}\b(commands?|shell|bash|terminal)\b/i,
		actions: words("run exec execute"),
		instead: ["run"],
	},
	read: {
		verbs: words("read view cat"),
		weakVerbs: words("open get show load fetch"),
		objects: words("file files content contents"),
		foreign: [
			...ELSEWHERE,
			...words("resource resources web url page bash shell terminal output process stdin console media pdf lints"),
			...words("diagnostics directory dir folder graph log logs clipboard screen history write edit delete upload"),
		],
		about: /\b(reads?|views?)\b.{0,60}\bfiles?\b|\breturns? the (full |raw )?contents?\b.{0,40}\bfiles?\b/i,
		actions: words("view read open cat show"),
		instead: ["read", "run"],
	},
	write: {
		verbs: words("write overwrite"),
		weakVerbs: words("create save put add new make store"),
		objects: words("file files content contents"),
		foreign: [
			...ELSEWHERE,
			...words(
				"stdin bash shell terminal directory directories dir folder patch append insert note notes checklist project",
			),
			...words("release page link symlink artifact pixel canvas"),
		],
		about: /\b(writ\w+|creat\w+|overwrit\w+|saves?|saving)\b.{0,60}\bfiles?\b/i,
		actions: words("create write overwrite save"),
		instead: ["write", "edit", "run"],
	},
	edit: {
		verbs: words("edit editor replace patch modify multiedit"),
		weakVerbs: words("update change apply"),
		objects: words("file files text string diff"),
		foreign: [...ELSEWHERE, "directory"],
		about: /\b(edits?|replac\w+|modif\w+|patch\w*)\b.{0,60}\b(files?|text|strings?)\b/i,
		actions: words("str_replace replace edit"),
		instead: ["edit", "write", "run"],
	},
	delete: {
		verbs: words("rm unlink"),
		weakVerbs: words("delete remove trash"),
		objects: words("file files path"),
		foreign: [...ELSEWHERE, ...words("directory dir folder line lines item job server tool note notes key")],
		about: /\b(delet\w+|remov\w+)\b.{0,40}\bfiles?\b/i,
		actions: words("delete remove"),
		instead: ["delete", "run", "edit"],
	},
	list: {
		verbs: words("ls listdir dir tree"),
		weakVerbs: words("list show get view read"),
		objects: words("dir directory directories folder"),
		foreign: [
			...ELSEWHERE,
			...words(
				"resource resources tool tools prompt prompts models code definition definitions usages processes bash shell",
			),
			...words(
				"terminal terminals tags jobs events users windows pages projects network requests tabs servers create delete",
			),
			...words("allowed console templates"),
		],
		about: /\blist\w*\b.{0,60}\b(director\w+|folders?|files)\b/i,
		actions: words("list ls list_directory"),
		instead: ["list", "run", "find"],
	},
	search: {
		verbs: words("grep ripgrep rg"),
		weakVerbs: words("search find"),
		objects: words("content contents text code codebase files file pattern regex"),
		foreign: [
			...ELSEWHERE,
			...words(
				"web internet google semantic symbol symbols docs documentation repositories users tool tools history name",
			),
			...words("names replace nodes wiki jira references glob"),
		],
		about: /\b(grep|ripgrep|regex|regular expressions?)\b|\bsearch\w*\b.{0,60}\b(contents?|code|codebase|text)\b/i,
		unlike: /\bglob\b|\bfile ?names?\b|\bsearch for files\b/i,
		actions: words("grep search"),
		instead: ["search", "run"],
	},
	find: {
		verbs: words("glob fd"),
		weakVerbs: words("find search locate match"),
		objects: words("file files filename filenames name names path paths"),
		foreign: [
			...ELSEWHERE,
			...words(
				"grep text content contents code symbol symbols web references definition usages resource resources tool tools",
			),
			...words("replace user users node nodes"),
		],
		about: /\bglob\b|\bfile ?names?\b|\b(find|search for|match\w*) files\b|\bfiles (matching|by)\b/i,
		unlike: /\bcontents?\b|\bregex\b|\bregular expressions?\b/i,
		actions: words("glob find"),
		instead: ["find", "list", "search", "run"],
	},
	fetch: {
		verbs: words("fetch webfetch curl"),
		weakVerbs: words("get read open download browse visit load scrape"),
		objects: words("url web page webpage http site website"),
		foreign: [...ELSEWHERE, ...words("search resource resources documentation git")],
		about: /\b(fetch\w*|retriev\w+|downloads?|gets?|reads?|loads?)\b.{0,80}\b(urls?|web ?pages?|web|https?)\b/i,
		actions: words("fetch get"),
		instead: ["fetch", "run"],
	},
};
