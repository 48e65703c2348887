import { badModelName } from "../accounts/bad-model-name.ts";
import { findModel, type Model } from "../accounts/model-catalog.ts";
import type { Backend } from "../backend.ts";

/** The model that a request of an older protocol names. Throws the backend's refusal if there is none. */
export function modelNamed(name: string, backend: Backend): Model {
	const found = findModel(backend.directory.models, name);
	if (!found) throw badModelName(name);
	return found.model;
}
