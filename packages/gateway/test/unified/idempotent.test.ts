import { describeOlderWay } from "../behaviour/older-protocols.ts";
import { chatClient } from "../kit/chat-client.ts";
import { messagesClient } from "../kit/messages-client.ts";
import { responsesClient } from "../kit/responses-client.ts";

for (const client of [chatClient, responsesClient, messagesClient]) describeOlderWay("unified, idempotent", client);
