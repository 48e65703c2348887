import { exposition, formatFor } from "../observe/metrics/exposition.ts";
import { GatewayError } from "../turn/error.ts";
import type { ApiParts, ApiRequest } from "./api-parts.ts";

/** All metrics, for a key that can do nothing else, and for the owner. */
export function metrics({ isOwner, metrics: families }: Pick<ApiParts, "isOwner" | "metrics">) {
	return async ({ caller, request, response }: ApiRequest): Promise<void> => {
		if (caller.only !== "metrics" && !isOwner(caller)) throw mayNotRead();
		const format = formatFor(request.headers.accept);
		const bytes = Buffer.from(exposition(await families(), format));
		if (response.destroyed) return;
		response.writeHead(200, {
			"content-type": format.contentType,
			"content-length": bytes.length,
			"cache-control": "no-store",
		});
		response.end(bytes);
	};
}

const mayNotRead = (): GatewayError =>
	new GatewayError("forbidden", "This key may not read metrics.", {
		nextStep: "Use a key that `cursorwire keys add prometheus --metrics-only` makes, or the owner's.",
	});
