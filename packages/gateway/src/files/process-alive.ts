/** Whether a process with this id exists on this machine, no matter whose it is. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// The process exists but belongs to another user, so we may not signal it.
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}
