import { messagesClient } from "../kit/dialects/messages-client.ts";
import { describeDialect } from "./dialect-rig.ts";

describeDialect(messagesClient);
