import type { ModelInfo } from "../model.ts";

/** Cursor's own choice, which costs least. */
export const AUTOMATIC = "default";

/** What a name from a vendor's own API leads to. */
export interface VendorModel {
	model: ModelInfo;
	/** Another one than the name says. */
	isSubstitute: boolean;
}
