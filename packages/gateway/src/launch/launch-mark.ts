/** The variable by which whatever a client starts can be told to belong to the launch. Its value is no secret. */
export const LAUNCH_MARK = "CURSORWIRE_LAUNCH";

/**
 * The mark of a launch: its id, and before it the mark of the launch that it was started in, if there is one. So a launch
 * knows what belongs to the launches within it, which may no longer be there to end it themselves.
 */
export function launchMark(id: string, env: Readonly<Record<string, string | undefined>>): string {
	const outer = env[LAUNCH_MARK];
	return outer ? `${outer}/${id}` : id;
}

/** How many launches deep a process is: 1 for one launch. Undefined: it does not belong to the launch with this mark. */
export function depthBelow(mark: string, environment: readonly string[]): number | undefined {
	const own = environment.find((entry) => entry.startsWith(`${LAUNCH_MARK}=`))?.slice(LAUNCH_MARK.length + 1);
	return own === mark || own?.startsWith(`${mark}/`) ? own.split("/").length : undefined;
}
