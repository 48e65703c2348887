export type { Account, AccountFileInput } from "./accounts/account.ts";
export type { Model } from "./accounts/model-catalog.ts";
export type {
	Action,
	Brain,
	Call,
	CallResult,
	ExecRequest,
	Message,
	SearchOutcome,
	Tool,
	Turn,
	TurnAction,
} from "./brains/brain.ts";
export { addEmulateOptions, emulate } from "./cli.ts";
export { type Emulator, startEmulator } from "./emulator.ts";
export { FAULTS } from "./faults/catalogue.ts";
export type { EmulatorOptions, TlsOptions } from "./options.ts";
export type { Repeated, ShownEntry, ShownPart, ShownPrompt, ShownResult } from "./prompts/prompt.ts";
export { SWITCHES } from "./switches.ts";
export type { Bill, BilledStep } from "./token-usage/bill.ts";
