// Loaded into the gateway's process beside the program (`node --import`): tells over IPC what only the process itself
// can know. The channel keeps nothing alive and is there from the start, so it is in every count alike.
process.on("message", () => {
	// Twice: what the first one finalises is free only for the second.
	globalThis.gc();
	globalThis.gc();
	const resources = {};
	for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
	const { heapUsed, external } = process.memoryUsage();
	process.send({ resources, heapBytes: heapUsed + external });
});
process.channel.unref();
