import type { Diagnosis } from "../../doctor/run-doctor.ts";
import type { PageDataParts } from "./parts.ts";

/** The doctor's findings. The checks are loaded only when somebody wants to see them. */
export async function examine({ inside }: Pick<PageDataParts, "inside">): Promise<Diagnosis> {
	const { examineInside } = await import("../../doctor/inside.ts");
	return examineInside(inside);
}

/** The masked report, as `cursorwire doctor --report` writes it, with what the gateway found out about itself. */
export async function reportText(
	{ inside, store }: Pick<PageDataParts, "inside" | "store">,
	{ findings }: Pick<Diagnosis, "findings">,
): Promise<string> {
	const [{ loadedAs }, { conclude }, { gatherReport, LAST_REQUESTS }] = await Promise.all([
		import("../../doctor/inside.ts"),
		import("../../doctor/conclusion.ts"),
		import("../../doctor/gather-report.ts"),
	]);
	return gatherReport({
		version: inside.version,
		loaded: loadedAs(inside.settings),
		findings,
		conclusion: conclude({ findings }, false),
		lastRequests: await store.lastRequests(LAST_REQUESTS),
	});
}
