import type { LogBook } from "../../observe/log-book.ts";
import type { HealthReport } from "../../upstream/health/host-health.ts";

const LINES: Record<HealthReport["state"], string> = {
	open: "Cursor keeps failing: no more requests for a while",
	"half-open": "Cursor is tried again with one request",
	closed: "Cursor answers again",
};

/** Writes down that the breaker before Cursor has opened or closed. */
export function logHealth(book: LogBook, { state, ...health }: HealthReport): void {
	book.write(state === "open" ? "warn" : "info", { breaker: state, ...health }, LINES[state]);
}
