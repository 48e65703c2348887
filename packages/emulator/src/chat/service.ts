import type { Backend } from "../backend.ts";
import type { Router } from "../http/router.ts";

export function addChatService(_router: Router, _backend: Backend): void {}
