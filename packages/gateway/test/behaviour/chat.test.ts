import { chatClient } from "../kit/chat-client.ts";
import { describeDialect } from "./dialect-bench.ts";

describeDialect(chatClient);
