/** The words of a tool or parameter name, whatever its case style: `run_shellCommand` is run, shell, command. */
export function wordsOf(name: string): string[] {
	return name
		.slice(0, 200)
		.replace(/([a-z0-9])([A-Z])/g, "$1 $2")
		.replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== "");
}

/**
 * One spelling for all case styles, to compare parameter names by: `file_path`, `filePath` and `file-path` are
 * `filepath`. A leading dash stays, since `-i` is a switch and `i` could be anything.
 */
export function compactName(name: string): string {
	return (name.startsWith("-") ? "-" : "") + wordsOf(name).join("");
}
