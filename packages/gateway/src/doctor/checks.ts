import type { Check } from "./check.ts";
import { login, models, quota, runs, vault } from "./checks/account.ts";
import { calibration } from "./checks/calibration.ts";
import { breaker, drift, gateway, versions } from "./checks/gateway.ts";
import { config, folder, node, trust } from "./checks/machine.ts";
import { clock, dns, proxy, tls } from "./checks/network.ts";

/** All checks, each after those it depends on. */
export const CHECKS: readonly Check[] = [
	node,
	config,
	folder,
	trust,
	vault,
	login,
	proxy,
	dns,
	tls,
	clock,
	models,
	quota,
	calibration,
	...runs,
	gateway,
	breaker,
	versions,
	drift,
];
