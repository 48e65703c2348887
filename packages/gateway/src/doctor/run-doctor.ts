import { GatewayError } from "../turn/error.ts";
import type { Check, DoctorContext } from "./check.ts";
import { failure, type Verdict } from "./verdict.ts";

export interface Finding extends Verdict {
	check: string;
	title: string;
}

export interface DoctorOptions {
	checks: readonly Check[];
	/** False: skip checks that count as usage. */
	spend: boolean;
	/** Describes an error that a check threw, with the next step. */
	explain(error: unknown): string;
	found(finding: Finding): void;
	starts?(check: Check): void;
}

export interface Diagnosis {
	findings: Finding[];
	/** Checks that were skipped, because one before them failed. */
	leftOut: Check[];
}

/** Runs the checks one after the other. */
export async function runDoctor(context: DoctorContext, options: DoctorOptions): Promise<Diagnosis> {
	const findings: Finding[] = [];
	const leftOut: Check[] = [];
	const failed = new Set<string>();
	for (const check of options.checks) {
		if (check.spends && !options.spend) continue;
		if (check.after?.some((id) => failed.has(id))) {
			failed.add(check.id);
			leftOut.push(check);
			continue;
		}
		options.starts?.(check);
		for (const verdict of await verdictsOf(check, context, options)) {
			const finding = { check: check.id, title: check.title, ...verdict };
			findings.push(finding);
			if (verdict.status === "failure") failed.add(check.id);
			options.found(finding);
		}
		if (context.signal.aborted) break;
	}
	return { findings, leftOut };
}

async function verdictsOf(check: Check, context: DoctorContext, { explain }: DoctorOptions): Promise<Verdict[]> {
	try {
		return [await check.run(context)].flat();
	} catch (error) {
		const kind = error instanceof GatewayError && { kind: error.kind };
		return [{ ...failure(explain(error), NEXT), ...kind }];
	}
}

const NEXT = "Fix that, and run `cursorwire doctor` again.";
