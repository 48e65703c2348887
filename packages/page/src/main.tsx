import "uplot/dist/uPlot.min.css";
import "./style/index.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { followLive } from "./gateway/live.ts";
import { openSession } from "./gateway/session.ts";
import { startClock } from "./now.ts";
import { followAddress } from "./route.ts";
import { followTheme } from "./theme.ts";

void openSession();
followAddress();
followTheme();
followLive();
startClock();
render(<App />, document.getElementById("page")!);
