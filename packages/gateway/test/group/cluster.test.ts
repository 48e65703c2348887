import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { temporaryFolder } from "../kit/program.ts";
import { startRedis } from "../store/redis-server.ts";

it("a Redis that is part of a cluster is not used, and the reason is told", async () => {
	const redis = await startRedis(["--cluster-enabled", "yes"]);
	onTestFinished(() => redis.stop());
	const warnings: string[] = [];
	const warn = (message: string) => void warnings.push(message);
	const store = await openStore({ dataDir: temporaryFolder(), redis: redis.url, warn });
	onTestFinished(() => store.close());
	expect(store.status()).toMatchObject({
		mode: "memory",
		degraded: expect.stringContaining("it is part of a cluster"),
	});
	expect(warnings.join()).toContain("which is not supported");
});
