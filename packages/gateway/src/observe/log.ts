import pino, { type Logger } from "pino";

export type { Logger };

/**
 * One line of JSON an event, to standard error. What is logged is listed where it is logged: no body, no header, no
 * prompt ever gets here.
 */
export function createLog(level: string): Logger {
	const log = pino(
		{ level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
		pino.destination({ dest: 2, sync: false }),
	);
	return log;
}
