import { useSignal } from "@preact/signals";
import { type AskError, send } from "../gateway/ask.ts";

interface Props {
	path: string;
	label: string;
	/** Where the gateway does not name the file. */
	fileName: string;
}

/** Saves an answer of the gateway as a file. A link could not send the session with it. */
export function DownloadButton({ path, label, fileName }: Props) {
	const problem = useSignal("");
	const download = async () => {
		problem.value = "";
		const response = await send(path);
		const link = document.createElement("a");
		link.href = URL.createObjectURL(await response.blob());
		link.download = nameIn(response.headers.get("content-disposition")) ?? fileName;
		link.click();
		URL.revokeObjectURL(link.href);
	};
	const fail = (error: AskError) => {
		problem.value = error.message;
	};
	return (
		<>
			<output class="bad">{problem}</output>
			<button type="button" onClick={() => void download().catch(fail)}>
				{label}
			</button>
		</>
	);
}

const nameIn = (disposition: string | null): string | undefined => /filename="?([\w.-]+)/.exec(disposition ?? "")?.[1];
