import { responsesClient } from "../kit/responses-client.ts";
import { describeDialect } from "./dialect-bench.ts";

describeDialect(responsesClient);
