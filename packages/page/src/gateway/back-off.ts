const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/** How long to wait before the attempt after so many failures. */
export const backOff = (failures: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
