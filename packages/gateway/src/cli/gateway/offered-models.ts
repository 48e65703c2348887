import type { Target } from "../../connect/client.ts";
import { type GatewayAddress, listGatewayModels } from "../../connect/gateway-client.ts";
import { GatewayError } from "../../turn/error.ts";

/** The models that a client is told of; the chosen one is among them. */
export async function offeredModels(
	gateway: GatewayAddress,
	model: string,
	signal: AbortSignal,
): Promise<Target["models"]> {
	const models = await listGatewayModels(gateway, signal);
	if (models.some(({ id }) => id === model)) return models;
	// The name of a variant, or an alias: if the gateway does not know it, the trial says so.
	const base = models.findLast(({ id }) => model.startsWith(id)) ?? models[0];
	if (!base) throw new GatewayError("model-not-found", "The gateway offers no models.");
	return [{ ...base, id: model, name: model }, ...models];
}
