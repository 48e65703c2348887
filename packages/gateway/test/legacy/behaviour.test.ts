import { describeOlderWay } from "../behaviour/older-protocols.ts";
import { responsesClient } from "../kit/dialects/responses-client.ts";

// What an API makes of a turn does not depend on the protocol: the agent protocol is tried with all three.
describeOlderWay("legacy", responsesClient);
