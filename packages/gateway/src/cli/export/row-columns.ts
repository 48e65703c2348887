import type { StoredRow } from "../../store/ledger-reads.ts";
import type { Cell } from "../../text/csv.ts";

/** What is exported of a turn: the name of the column, and what it holds. Columns may be added at the end. */
const COLUMNS: readonly (readonly [name: string, value: (row: StoredRow, client: string) => Cell])[] = [
	["id", ({ id }) => id],
	["time", ({ at }) => new Date(at).toISOString()],
	["client", (_, client) => client],
	["user_agent", ({ client: userAgent }) => userAgent],
	["request_id", ({ requestId }) => requestId],
	["dialect", ({ dialect }) => dialect],
	["model", ({ model }) => model],
	["answered", ({ answered }) => answered],
	["pool", ({ pool }) => pool],
	["path", ({ path }) => path],
	["reason", ({ reason }) => reason],
	["conversation", ({ conversation }) => conversation],
	["input_tokens", ({ inputTokens }) => inputTokens],
	["cached_tokens", ({ cachedTokens }) => cachedTokens],
	["output_tokens", ({ outputTokens }) => outputTokens],
	["reasoning_tokens", ({ reasoningTokens }) => reasoningTokens],
	["system_tokens", ({ systemTokens }) => systemTokens],
	["tool_tokens", ({ toolTokens }) => toolTokens],
	["history_tokens", ({ historyTokens }) => historyTokens],
	["result_tokens", ({ resultTokens }) => resultTokens],
	["image_tokens", ({ imageTokens }) => imageTokens],
	["message_tokens", ({ messageTokens }) => messageTokens],
	["latency_ms", ({ latencyMs }) => latencyMs],
	["first_token_ms", ({ firstTokenMs }) => firstTokenMs],
	["waited_ms", ({ waitedMs }) => waitedMs],
	["gateway_us", ({ gatewayUs }) => gatewayUs],
	["tools", ({ tools }) => tools],
	["status", ({ status }) => status],
	["error", ({ errorKind }) => errorKind],
	["web_searches", ({ webSearches }) => webSearches],
];

export const ROW_COLUMNS: readonly string[] = COLUMNS.map(([name]) => name);

export const rowCells = (row: StoredRow, client: string): Cell[] => COLUMNS.map(([, value]) => value(row, client));
