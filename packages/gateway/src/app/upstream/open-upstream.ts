import type { Settings } from "../../config/settings.ts";
import type { UpstreamSide, UpstreamSideOptions } from "./upstream.ts";

/** Opens the upstream side. It is imported only now, because Cursor's messages take as long to load as the rest. */
export async function openUpstreamSide(settings: Settings, options?: UpstreamSideOptions): Promise<UpstreamSide> {
	const upstream = await import("./upstream.ts");
	return upstream.openUpstreamSide(settings, options);
}
