export { encodeOpenaiError as encodeChatError, toOpenaiErrorBody as toErrorBody } from "../shared/openai-errors.ts";
