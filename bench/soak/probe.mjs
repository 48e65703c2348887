// Loaded into the gateway's process with `node --import`: reports over IPC what only the process itself knows. The
// channel keeps nothing alive and is there from the start, so it is part of every measurement.
process.on("message", () => {
	// Twice, because what the first collection finalises is only freed by the second.
	globalThis.gc();
	globalThis.gc();
	const resources = {};
	for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
	const { heapUsed, external } = process.memoryUsage();
	process.send({ resources, heapBytes: heapUsed + external });
});
process.channel.unref();
