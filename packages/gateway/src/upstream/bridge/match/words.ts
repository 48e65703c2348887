/** Splits a tool or parameter name into words, whatever its case style: `run_shellCommand` is run, shell, command. */
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
 * A single spelling for all case styles, for comparing parameter names: `file_path`, `filePath` and `file-path` all
 * become `filepath`. A leading dash stays, because `-i` is a switch and `i` could be anything.
 */
export function compactName(name: string): string {
	return (name.startsWith("-") ? "-" : "") + wordsOf(name).join("");
}
