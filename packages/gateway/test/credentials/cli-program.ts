// The three commands as the program registers them, without the rest of it.
import { Command } from "commander";
import { addLoginOptions, login } from "../../src/cli/commands/login.ts";
import { addLogoutOptions, logout } from "../../src/cli/commands/logout.ts";
import { addStatusOptions, status } from "../../src/cli/commands/status.ts";

const program = new Command("cursorwire");
addLoginOptions(program.command("login")).action(login);
addLogoutOptions(program.command("logout")).action(logout);
addStatusOptions(program.command("status")).action(status);
await program.parseAsync();
