import { test } from "vitest";
import { CLIENTS } from "./client-tools.ts";
import { decide, type ExecInit } from "./kit.ts";
const reqs: Record<string, ExecInit> = {
 shell: {case:"shellArgs", value:{command:"ls -la", timeout: 30000}},
 shellcwd: {case:"shellArgs", value:{command:"ls -la", workingDirectory:"/tmp"}},
 bg: {case:"backgroundShellSpawnArgs", value:{command:"npm run dev"}},
 read: {case:"readArgs", value:{path:"/w/a.ts"}},
 readRange: {case:"readArgs", value:{path:"/w/a.ts", offset: 10, limit: 5}},
 write: {case:"writeArgs", value:{path:"/w/a.ts", fileText:"x\n"}},
 delete: {case:"deleteArgs", value:{path:"/w/a.ts"}},
 ls: {case:"lsArgs", value:{path:"/w", ignore:["node_modules"]}},
 grep: {case:"grepArgs", value:{pattern:"foo", path:"/w", glob:"*.ts", outputMode:"files_with_matches"}},
 grepi: {case:"grepArgs", value:{pattern:"foo", caseInsensitive: true, type:"ts"}},
 grepplain: {case:"grepArgs", value:{pattern:"foo"}},
 glob: {case:"grepArgs", value:{glob:"*.ts", path:"/w"}},
 fetch: {case:"fetchArgs", value:{url:"https://example.com/x"}},
 edit1: {case:"piEditArgs", value:{path:"/w/a", edits:[{oldText:"a",newText:"b"}]}},
 edit2: {case:"piEditArgs", value:{path:"/w/a", edits:[{oldText:"a",newText:"b"},{oldText:"c",newText:"d"}]}},
 pigrep: {case:"piGrepArgs", value:{pattern:"x", ignoreCase:true, limit:5}},
 pifind: {case:"piFindArgs", value:{pattern:"**/*.ts", limit:5}},
};
test("x", () => {
 for (const [r, m] of Object.entries(reqs)) {
  console.log(`== ${r}`);
  for (const [c, tools] of Object.entries(CLIENTS)) {
   const d = decide(m, tools);
   console.log(`  ${c}: `, d.kind === "call" ? `${d.call.toolName} ${JSON.stringify(d.call.arguments)}` : JSON.stringify(d, (_k,v)=> typeof v==="bigint"?String(v):v).slice(0,260));
  }
 }
});
