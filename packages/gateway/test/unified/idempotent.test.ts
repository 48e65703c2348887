import { describeOlderWay } from "../behaviour/older-protocols.ts";
import { messagesClient } from "../kit/dialects/messages-client.ts";

// What an API makes of a turn does not depend on the stream, so each stream is tried with one API, and all with all three.
describeOlderWay("unified, idempotent", messagesClient);
