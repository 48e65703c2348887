import type { Run } from "../run-parts.ts";

const AUTO = ["default", "auto", "auto-smart"];

/** The display name of the model that the server chose in auto mode; undefined if the client named a model. */
export function routedModel({ model, backend }: Run): string | undefined {
	if (!AUTO.includes(model.model.id)) return undefined;
	return backend.directory.models.find(({ id, pool }) => !AUTO.includes(id) && pool === model.model.pool)?.displayName;
}

/** Tells the client, if it has asked for it. */
export function tellRoutedModel(run: Run, displayName: string | undefined): void {
	if (!displayName || !run.request.clientSupportsRoutedModelUpdate) return;
	run.link.update({ case: "routedModel", value: { displayName } });
}
