import { Name } from "./texts.tsx";

/** The names of tools, in a row. */
export function ToolNames({ tools }: { tools: string[] }) {
	return (
		<span class="toolnames">
			{tools.map((tool) => (
				<span key={tool} class="tag">
					<Name value={tool} />
				</span>
			))}
		</span>
	);
}
