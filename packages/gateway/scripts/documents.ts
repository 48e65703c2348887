import { configSchema } from "../src/config/config-schema.ts";
import { CLIENTS } from "../src/connect/clients.ts";
import { renderCliDoc } from "./cli-doc.ts";
import { renderClientDoc } from "./client-docs.ts";
import { renderConfigurationDoc } from "./configuration-doc.ts";
import { renderErrorsDoc } from "./errors-doc.ts";
import { renderGrafanaDashboard } from "./grafana-dashboard.ts";
import { renderLimitsDoc } from "./limits-doc.ts";
import { renderMetricsDoc } from "./metrics-doc.ts";
import { renderReliabilityDoc } from "./reliability-doc.ts";
import { renderRequestFieldsDoc } from "./request-fields-doc.ts";

/** The documents and files that are made from the tables of the program, by their place in `docs`. */
export const DOCUMENTS: Readonly<Record<string, () => string>> = {
	"cli.md": renderCliDoc,
	"errors.md": renderErrorsDoc,
	"configuration.md": renderConfigurationDoc,
	"../packages/gateway/config.schema.json": () => `${JSON.stringify(configSchema(), undefined, 2)}\n`,
	"grafana.json": renderGrafanaDashboard,
	"limits.md": renderLimitsDoc,
	"metrics.md": renderMetricsDoc,
	"reliability.md": renderReliabilityDoc,
	"request-fields.md": renderRequestFieldsDoc,
	...Object.fromEntries(Object.keys(CLIENTS).map((name) => [`clients/${name}.md`, () => renderClientDoc(name)])),
};
