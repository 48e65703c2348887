import type { Settings } from "../config/settings.ts";
import type { UpstreamSide, UpstreamSideOptions } from "./upstream.ts";

/** Opens the Cursor side, which is loaded only now: Cursor's messages take as long to load as everything else. */
export async function openUpstreamSide(settings: Settings, options?: UpstreamSideOptions): Promise<UpstreamSide> {
	const upstream = await import("./upstream.ts");
	return upstream.openUpstreamSide(settings, options);
}
