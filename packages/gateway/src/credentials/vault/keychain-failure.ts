import { StorageError } from "../../files/storage-error.ts";
import { describeCause } from "../../wire/errors.ts";

/** The `code` of the error where there is no file that a child process could run. */
export const SINGLE_EXECUTABLE = "SINGLE_EXECUTABLE";

/** Why the keychain cannot be used. */
export class KeychainError extends StorageError {
	/** There is none to ask, as opposed to one that is locked, slow or refuses: such a keychain may hold a login. */
	readonly isAbsent: boolean;

	constructor({ message, nextStep, isAbsent, detail }: Meaning & { detail?: string }, cause?: unknown) {
		super("internal", message, { detail, nextStep, cause });
		this.isAbsent = isAbsent;
	}
}

interface Meaning {
	message: string;
	nextStep: string;
	isAbsent: boolean;
}

const OR_FILE = "or set CURSORWIRE_VAULT=file to keep logins in a file";
const NO_SERVICE: Meaning = {
	message: "No keychain is running in this session: there is no Secret Service on D-Bus.",
	nextStep: `Install gnome-keyring or KWallet and sign in to a desktop session, ${OR_FILE}.`,
	isAbsent: true,
};

/** By what the module says. */
const REFUSALS: [pattern: RegExp, Meaning][] = [
	[/not provided by any \.service|ServiceUnknown|DBUS_SESSION_BUS_ADDRESS|connect to socket/i, NO_SERVICE],
	[
		/dismissed|locked|interaction is not allowed/i,
		{
			message: "The system's keychain is locked.",
			nextStep: `Unlock it and repeat the command, ${OR_FILE}.`,
			isAbsent: false,
		},
	],
	[
		/no result found/i,
		{
			message: "The system's keychain has no default keyring to store a login in.",
			nextStep: `Create one (in Seahorse: File, New, Password Keyring), ${OR_FILE}.`,
			isAbsent: false,
		},
	],
];

export function keychainRefused(cause: unknown): KeychainError {
	const { message } = cause as Error;
	const known = REFUSALS.find(([pattern]) => pattern.test(message))?.[1];
	if (known !== undefined) return new KeychainError(known, cause);
	return new KeychainError(
		{
			message: "The system's keychain refused the request.",
			detail: `${message}.`,
			nextStep: `Unlock the keychain, ${OR_FILE}.`,
			isAbsent: false,
		},
		cause,
	);
}

export function keychainSilent(ms: number): KeychainError {
	return new KeychainError({
		message: `The system's keychain did not respond within ${ms / 1000} s.`,
		detail: "It may be asking for its password in a dialog.",
		nextStep: `Unlock it and repeat the command, ${OR_FILE}.`,
		isAbsent: false,
	});
}

export function keychainNotLoaded(cause: unknown): KeychainError {
	const { code } = cause as NodeJS.ErrnoException;
	if (code === SINGLE_EXECUTABLE) {
		return new KeychainError({
			message: "The single executable cannot use the system's keychain.",
			nextStep: "Install the npm package to use it. CURSORWIRE_VAULT=file says that a file is what you want.",
			isAbsent: true,
		});
	}
	const isMissing = code === "ERR_MODULE_NOT_FOUND";
	const reason = isMissing ? "is not installed" : `cannot be loaded (${describeCause(cause)})`;
	return new KeychainError(
		{
			message: `The keychain module @napi-rs/keyring ${reason}.`,
			nextStep: `Install cursorwire again without --omit=optional, ${OR_FILE}.`,
			isAbsent: true,
		},
		cause,
	);
}
