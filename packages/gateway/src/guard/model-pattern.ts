/** Whether one of these names is meant. A star matches anything; the case of letters does not matter. */
export function matchesModel(pattern: string, names: readonly string[]): boolean {
	const wanted = pattern
		.split("*")
		.map((text) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
		.join(".*");
	const form = new RegExp(`^${wanted}$`, "i");
	return names.some((name) => form.test(name));
}
