import { responsesClient } from "../kit/dialects/responses-client.ts";
import { describeDialect } from "./dialect-rig.ts";

describeDialect(responsesClient);
