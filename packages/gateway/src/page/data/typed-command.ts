import { asStarted } from "../../text/as-started.ts";

/** A command in the form in which it can be typed here. */
export const typedCommand = (command: string): string => asStarted(`\`${command}\``).slice(1, -1);
