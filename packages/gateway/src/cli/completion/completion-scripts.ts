import type { Command } from "commander";
import { CLIENT_NAMES, CLIENTS } from "../../connect/clients.ts";

/** What can follow a command: its subcommands, its options, and words for its first argument. */
export interface CompletionNode {
	name: string;
	about: string;
	options: { flag: string; about: string }[];
	words: string[];
	commands: CompletionNode[];
}

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** By the command's words, without the program's name. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
	connect: [...CLIENT_NAMES, "sdk"],
	disconnect: Object.keys(CLIENTS),
	completion: SHELLS,
	"completion install": SHELLS,
	"completion uninstall": SHELLS,
	"completion print": SHELLS,
};

/** The program's commands, for completion. */
export function completionTree(command: Command, path: readonly string[] = []): CompletionNode {
	return {
		name: command.name(),
		about: command.description(),
		options: [
			...command.options
				.filter(({ hidden }) => !hidden)
				.map(({ long, description }) => ({ flag: long!, about: description })),
			{ flag: "--help", about: "show help" },
		],
		words: [...(WORDS[path.join(" ")] ?? [])],
		commands: command.commands.map((each) => completionTree(each, [...path, each.name()])),
	};
}

export const COMPLETIONS: Readonly<Record<Shell, (root: CompletionNode) => string>> = { bash, zsh, fish };

/** Every command with the words that lead to it; the program itself comes first. */
function paths(node: CompletionNode, before: string[] = []): { path: string[]; node: CompletionNode }[] {
	return [{ path: before, node }, ...node.commands.flatMap((each) => paths(each, [...before, each.name]))];
}

const wordsOf = ({ commands, words, options }: CompletionNode): string[] => [
	...commands.map(({ name }) => name),
	...words,
	...options.map(({ flag }) => flag),
];

function bash(root: CompletionNode): string {
	const cases = paths(root).map(({ path, node }) => `\t\t"${path.join(" ")}") words="${wordsOf(node).join(" ")}" ;;`);
	const known = paths(root).map(({ path }) => `"${path.join(" ")}"`);
	return `# bash completion for cursorwire
_cursorwire() {
	local current="\${COMP_WORDS[COMP_CWORD]}" path="" next words="" word
	for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		next="\${path:+$path }$word"
		case "$next" in
		${known.slice(1).join("|")}) path="$next" ;;
		esac
	done
	case "$path" in
${cases.join("\n")}
	esac
	COMPREPLY=($(compgen -W "$words" -- "$current"))
	if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _cursorwire cursorwire
`;
}

function zsh(root: CompletionNode): string {
	const describe = ({ commands, words, options }: CompletionNode) =>
		[
			...commands.map(({ name, about }) => `${name}:${about}`),
			...words,
			...options.map(({ flag, about }) => `${flag}:${about}`),
		]
			.map((entry) => `'${entry.replaceAll("'", "'\\''")}'`)
			.join(" ");
	const cases = paths(root).map(({ path, node }) => `\t"${path.join(" ")}") offered=(${describe(node)}) ;;`);
	const known = paths(root).map(({ path }) => `"${path.join(" ")}"`);
	return `#compdef cursorwire
# zsh completion for cursorwire
_cursorwire() {
	local typed="" next word
	local -a offered
	for word in "\${(@)words[2,CURRENT-1]}"; do
		next="\${typed:+$typed }$word"
		case "$next" in
		${known.slice(1).join("|")}) typed="$next" ;;
		esac
	done
	case "$typed" in
${cases.join("\n")}
	esac
	_describe 'cursorwire' offered || _files
}
# Autoloaded by its file name, or sourced.
if [ "\${funcstack[1]}" = "_cursorwire" ]; then
	_cursorwire "$@"
else
	(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
	compdef _cursorwire cursorwire
fi
`;
}

function fish(root: CompletionNode): string {
	const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
	const lines = paths(root).flatMap(({ path, node }) => {
		const within = path.map((word) => `__fish_seen_subcommand_from ${word}`);
		const names = node.commands.map(({ name }) => name).join(" ");
		const without = names === "" ? [] : [`not __fish_seen_subcommand_from ${names}`];
		const when = quote([...within, ...without].join("; and ") || "true");
		return [
			...node.commands.map(({ name, about }) => `complete -c cursorwire -f -n ${when} -a ${name} -d ${quote(about)}`),
			...node.words.map((word) => `complete -c cursorwire -f -n ${when} -a ${word}`),
			...node.options.map(
				({ flag, about }) => `complete -c cursorwire -n ${when} -l ${flag.slice(2)} -d ${quote(about)}`,
			),
		];
	});
	return `# fish completion for cursorwire\n${lines.join("\n")}\n`;
}
