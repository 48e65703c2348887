/** What the service starts, and how. */
export interface ServiceSpec {
	/** Program and arguments; paths are absolute. */
	command: readonly string[];
	/** Variables that it needs in addition to the session's. */
	environment: Readonly<Record<string, string>>;
	home: string;
	/** The user's name, for systems that need it. */
	user: string;
}

/** How a system runs a program for a user, from login to logout. */
export interface ServiceManager {
	name: string;
	/** The file that describes the service. */
	file(spec: Pick<ServiceSpec, "home">): string;
	describe(spec: ServiceSpec): string;
	/** Commands that start it, in order. */
	install(file: string): string[][];
	/** Commands that stop it; the file is removed afterwards. */
	uninstall(file: string): string[][];
	/** A command that succeeds if the service is running. */
	status(file: string): string[];
	/** Commands after the file is removed. */
	afterRemoval?: string[][];
	/** Where its log is. */
	logs: string;
}
