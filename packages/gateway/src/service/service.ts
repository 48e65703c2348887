/** What a service of the system has to start, and how. */
export interface ServiceSpec {
	/** Program and arguments, in words; paths are absolute. */
	command: readonly string[];
	/** Variables that it needs besides those of the session. */
	environment: Readonly<Record<string, string>>;
	home: string;
	/** Of the user, where the system wants to know. */
	user: string;
}

/** A way of one system to run something for a user, from login to logout. */
export interface ServiceManager {
	name: string;
	/** The file that describes the service. */
	file(spec: Pick<ServiceSpec, "home">): string;
	describe(spec: ServiceSpec): string;
	/** Commands that make it run, in words, in order. */
	install(file: string): string[][];
	/** Commands that end it; the file is removed after them. */
	uninstall(file: string): string[][];
	/** A command that succeeds if it runs, and prints its state. */
	status(file: string): string[];
	/** Commands behind the removal of the file. */
	afterRemoval?: string[][];
	/** Where its log is. */
	logs: string;
}
