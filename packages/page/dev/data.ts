// Made-up figures in the form of the contract.
export { clients, health, models } from "./lists.ts";
export { plan, strip, totals } from "./plan.ts";
export { lanes, turnAnswer, turnRow } from "./turns.ts";
