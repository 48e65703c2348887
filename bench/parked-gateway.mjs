// The gateway with room for as many parked runs as the benchmark parks; the default is lower (256, and 32 per caller).
import { startGateway } from "../packages/gateway/src/app/gateway.ts";
import { loadSettings } from "../packages/gateway/src/config/settings.ts";

const { settings } = loadSettings({ port: process.argv[2], logLevel: "silent" });
const room = Number(process.argv[3]);
const gateway = await startGateway(settings, { version: "bench", parked: { total: room, perCaller: room } });
process.on("SIGUSR2", () => globalThis.gc());
process.on("SIGTERM", () => gateway.close().finally(() => process.exit(0)));
