// Loaded into the gateway before its own code: reports the longest stretch in which its event loop did nothing else.

const TICK_MILLISECONDS = 2;
let last = performance.now();
let longest = 0;

setInterval(() => {
	const now = performance.now();
	longest = Math.max(longest, now - last - TICK_MILLISECONDS);
	last = now;
}, TICK_MILLISECONDS).unref();

process.on("message", () => {
	process.send({ longest });
	longest = 0;
});
// The gateway decides when it ends, not this channel.
process.channel.unref();
