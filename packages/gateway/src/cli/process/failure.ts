import { KeyFileError } from "../../access/key-file.ts";
import { SettingError } from "../../config/settings.ts";
import { EditError } from "../../connect/edit.ts";
import { GatewayRefusal, GatewayUnreachable } from "../../connect/gateway-client.ts";
import { StoreVersionError } from "../../store/errors.ts";
import { GatewayError } from "../../turn/error.ts";
import { cleanText } from "../../upstream/errors/clean-text.ts";
import { WireError, type WireErrorCode } from "../../wire/errors.ts";
import { EXIT_CODES, type Exit, exitOfKind, NoGatewayError } from "./exit-codes.ts";

/** What a person sees of an error: one line with a next step, and the exit code. */
export interface Failure {
	line: string;
	code: number;
}

/** Errors whose message is complete, including the next step. */
const REASONS = [KeyFileError, EditError, GatewayRefusal, StoreVersionError];

/** Settings that turn out to be wrong only when they are used. */
const WRONG_SETTINGS: readonly WireErrorCode[] = ["bad-ca-file", "bad-proxy-url"];

export function describeFailure(error: unknown): Failure {
	const [exit, text] = explain(error);
	return { line: cleanText(text), code: EXIT_CODES[exit].code };
}

function explain(error: unknown): [Exit, string] {
	if (error instanceof SettingError) return ["usage", error.message];
	if (error instanceof NoGatewayError) return ["noGateway", error.message];
	if (error instanceof GatewayUnreachable) return ["noGateway", `${error.message}; is it still running?`];
	if (REASONS.some((kind) => error instanceof kind)) return ["failed", (error as Error).message];
	if (error instanceof WireError) return [WRONG_SETTINGS.includes(error.code) ? "usage" : "unreachable", error.message];
	if (error instanceof GatewayError) {
		return [exitOfKind(error.kind), error.kind === "cancelled" ? "Cancelled." : error.fullMessage];
	}
	if (isFileError(error)) {
		return [
			"failed",
			`${error.path} cannot be used (${error.code}). Check that it exists and that you may write there.`,
		];
	}
	const reason = error instanceof Error ? error.message : String(error);
	return [
		"failed",
		`cursorwire made a mistake: ${reason}. Please report it, with the file of \`cursorwire doctor --report\`.`,
	];
}

function isFileError(error: unknown): error is NodeJS.ErrnoException & { path: string } {
	const { syscall, path } = error as NodeJS.ErrnoException;
	return error instanceof Error && typeof syscall === "string" && typeof path === "string";
}
