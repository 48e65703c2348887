// Writes docs/cli.md: node --import tsx packages/gateway/scripts/generate-cli-doc.ts
import { writeFileSync } from "node:fs";
import { renderCliDoc } from "./cli-doc.ts";

writeFileSync(new URL("../../../docs/cli.md", import.meta.url), renderCliDoc());
