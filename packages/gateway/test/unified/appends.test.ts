import { describeOlderWay } from "../behaviour/older-protocols.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";

// What an API makes of a turn does not depend on the stream: all three APIs are tried on one (one-stream.test.ts).
describeOlderWay("unified with appends", chatClient);
