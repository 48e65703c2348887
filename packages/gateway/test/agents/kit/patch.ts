/** A new file in the form of patch that OpenAI's models are trained on. */
export function addFilePatch(path: string, content: string): string {
	const lines = content.trimEnd().split("\n");
	return ["*** Begin Patch", `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), "*** End Patch", ""].join(
		"\n",
	);
}
