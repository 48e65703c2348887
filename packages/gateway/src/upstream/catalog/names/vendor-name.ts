import type { ModelInfo } from "../model.ts";

/** Cursor's automatic choice, which costs least. */
export const AUTOMATIC = "default";

/** The model that a name from a vendor's own API leads to. */
export interface VendorModel {
	model: ModelInfo;
	/** The model differs from the one the name refers to. */
	isSubstitute: boolean;
}
