import { messagesClient } from "../kit/messages-client.ts";
import { describeDialect } from "./dialect-bench.ts";

describeDialect(messagesClient);
