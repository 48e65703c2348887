// `npm run build`: the public packages as they are published, one folder each in dist/ (or --out), ready for `npm pack`.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildPackage, PACKAGES } from "./build/package.mjs";

const { values } = parseArgs({ options: { out: { type: "string", default: "dist" } } });
const out = resolve(values.out);
for (const name of Object.keys(PACKAGES)) console.log(await buildPackage(name, out));
