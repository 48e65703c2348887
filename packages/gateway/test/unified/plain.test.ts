import { describeOlderWay } from "../behaviour/older-protocols.ts";
import { responsesClient } from "../kit/dialects/responses-client.ts";

// What an API makes of a turn does not depend on the stream, so each stream is tried with one API, and all with all three.
describeOlderWay("unified, plain", responsesClient);
