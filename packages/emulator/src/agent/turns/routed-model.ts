import type { Run } from "../run-parts.ts";

const AUTO = ["default", "auto", "auto-smart"];

/** The model that the server chose in auto mode, by its name for people; undefined where the client named one. */
export function routedModel({ model, backend }: Run): string | undefined {
	if (!AUTO.includes(model.model.id)) return undefined;
	return backend.directory.models.find(({ id, pool }) => !AUTO.includes(id) && pool === model.model.pool)?.displayName;
}

/** Tells it to a client that asked for that. */
export function tellRoutedModel(run: Run, displayName: string | undefined): void {
	if (!displayName || !run.request.clientSupportsRoutedModelUpdate) return;
	run.link.update({ case: "routedModel", value: { displayName } });
}
