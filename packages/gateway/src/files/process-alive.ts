/** Whether a process of this machine is there, whosoever it is. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// Another user's process is one that we may not even signal.
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}
