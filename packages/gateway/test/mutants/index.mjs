// All mutants: mistakes in the program, and the test of their row that has to notice each. A file of them for each group.
//
//   row      the row of docs/reliability.md
//   mistake  what is wrong with the program then
//   file     of the program; `find` occurs in it exactly once and is replaced by `replace`
//   test     the file of tests that has to go red; `title` narrows it down and is the row's id where it is not given
import attackers from "./attackers.mjs";
import credentials from "./credentials.mjs";
import greedyClients from "./greedy-clients.mjs";
import sessions from "./sessions.mjs";
import upstream from "./upstream.mjs";
import wire from "./wire.mjs";

export const MUTANTS = [...attackers, ...credentials, ...greedyClients, ...sessions, ...upstream, ...wire];

/** The groups of rows of which each has at least one mutant. */
export const GROUPS_WITH_MUTANTS = ["A", "U", "S", "K"];

/** The pattern for `vitest -t`. */
export const titleOf = ({ row, title }) => (title === undefined ? `\\b${row}\\b` : escaped(title));

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
