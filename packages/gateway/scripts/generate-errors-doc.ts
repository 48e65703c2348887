// Writes docs/errors.md: node --import tsx packages/gateway/scripts/generate-errors-doc.ts
import { writeFileSync } from "node:fs";
import { renderErrorsDoc } from "./errors-doc.ts";

writeFileSync(new URL("../../../docs/errors.md", import.meta.url), renderErrorsDoc());
