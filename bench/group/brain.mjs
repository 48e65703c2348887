/** Calls the tool `step` for ever: one run, whatever number of results it gets. */
export default async function* brain() {
	for (let n = 1; ; n++) yield { calls: [{ name: "step", arguments: { n } }] };
}
