import { chatClient } from "../kit/dialects/chat-client.ts";
import { describeDialect } from "./dialect-rig.ts";

describeDialect(chatClient);
