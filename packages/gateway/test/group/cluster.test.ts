import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { until } from "../kit/cleanup.ts";
import { temporaryFolder } from "../kit/program.ts";
import { startRedis } from "../store/redis-server.ts";

it.each([false, true])(
	"a node of a cluster is not used, and the reason is told (with all slots: %s)",
	async (isWhole) => {
		const redis = await startRedis(["--cluster-enabled", "yes"]);
		onTestFinished(() => redis.stop());
		if (isWhole) {
			await redis.cli("cluster", "addslotsrange", "0", "16383");
			await until(async () => (await redis.cli("cluster", "info")).includes("cluster_state:ok"));
		}
		const warnings: string[] = [];
		const warn = (message: string) => void warnings.push(message);
		const store = await openStore({ dataDir: temporaryFolder(), redis: redis.url, warn });
		onTestFinished(() => store.close());
		expect(store.status()).toMatchObject({
			mode: "memory",
			degraded: expect.stringContaining("it is part of a cluster"),
		});
		expect(warnings.join()).toContain("which is not supported");
	},
);
