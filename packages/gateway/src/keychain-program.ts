import { fileURLToPath } from "node:url";

/** The program that asks the keychain. This file must stay here: `../bin` is beside the built files too. */
export function keychainProgram(): string {
	return fileURLToPath(new URL("../bin/keychain.mjs", import.meta.url));
}
