import type { AgentRunRequest } from "@cursorwire/protocol/agent";
import { badModelName } from "../../accounts/bad-model-name.ts";
import { findModel, type Model } from "../../accounts/model-catalog.ts";
import type { Backend } from "../../backend.ts";
import { RpcFailure } from "../../rpc/failure.ts";

export interface RunModel {
	model: Model;
	/** As the client spelt it. */
	id: string;
	parameters: Record<string, string>;
	maxMode: boolean;
	/** The variant is named in the wrong form, and the switch makes that an empty turn. */
	saysNothing: boolean;
}

/** The model that a run asks for. Throws the backend's refusal if it cannot be used. */
export function chooseModel(request: AgentRunRequest, backend: Backend): RunModel {
	const requested = request.requestedModel;
	const id = requested?.modelId || request.modelDetails?.modelId;
	if (!id) throw new RpcFailure("invalid_argument", "no model in requested_model or model_details");
	const found = findModel(backend.directory.models, id);
	if (!found) throw badModelName(id);
	const given = Object.fromEntries((requested?.parameters ?? []).map(({ id: name, value }) => [name, value]));
	refuseUnknownParameters(found.model, given);
	const form = found.form === "flattened" ? "flattened" : Object.keys(given).length > 0 ? "parameters" : "plain";
	const wanted = backend.switches.get("model-form");
	const wrong = form !== "plain" && wanted !== "both" && wanted !== form;
	if (wrong) refuseForm(id, backend);
	const parameters = { ...found.parameters, ...given };
	const maxMode = requested?.maxMode ?? request.modelDetails?.maxMode ?? false;
	if (parameters.context === "1m" && !maxMode && backend.switches.get("max-mode") === "required-for-long-context") {
		throw new RpcFailure("failed_precondition", "Error", {
			error: "ERROR_MAX_MODE_REQUIRED",
			title: "Max Mode required",
			detail: `${found.model.displayName} needs Max Mode for this context size.`,
		});
	}
	return { model: found.model, id, parameters, maxMode, saysNothing: wrong };
}

function refuseUnknownParameters(model: Model, given: Record<string, string>): void {
	for (const [id, value] of Object.entries(given)) {
		const known = model.parameters.find((parameter) => parameter.id === id);
		if (known?.values.includes(value)) continue;
		throw new RpcFailure("invalid_argument", `model ${model.id} has no parameter ${id} = ${value}`);
	}
}

/** Returns only if the switch asks for an empty turn. */
function refuseForm(id: string, backend: Backend): void {
	const outcome = backend.switches.get("wrong-model-form");
	if (outcome === "resource-exhausted") throw new RpcFailure("resource_exhausted", "Error");
	if (outcome === "not-found") throw badModelName(id);
}
