import { describeOlderWay } from "../behaviour/older-protocols.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { messagesClient } from "../kit/dialects/messages-client.ts";
import { responsesClient } from "../kit/dialects/responses-client.ts";

for (const client of [chatClient, responsesClient, messagesClient]) describeOlderWay("legacy", client);
