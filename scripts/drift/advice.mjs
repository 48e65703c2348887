// What to tell the maintainers about a version of the SDK: an issue, or nothing where all is as it was.

/** Issues must not be longer. */
const MAX_BODY = 60_000;

/**
 * @param {{ status: number, text: string }} drift how `npm run drift` ended, and what it said
 * @param {{ status: number, text: string }} conformance the same of `npm run conformance`
 * @returns {{ title: string, body: string } | undefined}
 */
export function advice(drift, conformance) {
	if (drift.status > 1) throw new Error(`npm run drift could not do its work:\n${drift.text}`);
	const version = /^@cursor\/sdk (\S+),/m.exec(drift.text)?.[1] ?? "of an unknown version";
	const isGreen = conformance.status === 0;
	if (isGreen && /^no difference$/m.test(drift.text)) return undefined;
	const verdicts = [
		drift.status === 0 ? "Nothing that is used here has changed." : "Something that is used here has changed.",
		isGreen ? "The SDK works with the emulator." : "The SDK does not work with the emulator as it did.",
	];
	const sections = [
		verdicts.join(" "),
		section("npm run drift", drift.text),
		...(isGreen ? [] : [section("npm run conformance -- --sdk latest", failuresIn(conformance.text))]),
		"What to do: CONTRIBUTING.md, section Drift.",
	];
	return { title: `Drift: @cursor/sdk ${version}`, body: sections.join("\n\n") };
}

function section(command, text) {
	const shown = text.length > MAX_BODY / 2 ? `${text.slice(0, MAX_BODY / 2)}\n…` : text;
	return `\`${command}\`\n\n\`\`\`\n${shown.trim()}\n\`\`\``;
}

/** Without the cases that went well. */
function failuresIn(text) {
	return text
		.split("\n")
		.filter((line) => !/^ {2}ok {4}/.test(line))
		.join("\n");
}
