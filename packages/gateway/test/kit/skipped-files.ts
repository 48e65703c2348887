/** Test files that `npm test` leaves out because a tool is missing, which only it can tell. */
export const SKIPPED_FILES = (process.env.CURSORWIRE_TEST_SKIPPED ?? "").split(",").filter((file) => file !== "");
