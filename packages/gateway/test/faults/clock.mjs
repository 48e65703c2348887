// Loaded into the program by a test: each SIGUSR2 sets the wall clock by STEP milliseconds. Timers are not touched, as
// in a machine whose clock is set.
const now = Date.now;
let offset = 0;
Date.now = () => now() + offset;
process.on("SIGUSR2", () => {
	offset += Number(process.env.STEP);
	process.stderr.write("the clock was set\n");
});
