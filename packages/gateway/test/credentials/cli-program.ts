// The three commands as the program registers them, without the rest of it.
import { Command } from "commander";
import { login } from "../../src/cli/commands/account/login.ts";
import { logout } from "../../src/cli/commands/account/logout.ts";
import { status } from "../../src/cli/commands/account/status.ts";
import { addLoginOptions } from "../../src/cli/options/account/login.ts";
import { addLogoutOptions } from "../../src/cli/options/account/logout.ts";
import { addStatusOptions } from "../../src/cli/options/account/status.ts";

const program = new Command("cursorwire");
addLoginOptions(program.command("login")).action(login);
addLogoutOptions(program.command("logout")).action(logout);
addStatusOptions(program.command("status")).action(status);
await program.parseAsync();
