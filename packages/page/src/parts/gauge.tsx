import { percent as percentText } from "../text/numbers.ts";

interface Props {
	/** 0 to 100; undefined: not known. */
	percent: number | undefined;
	label: string;
}

const NEARLY = 80;
const FULL = 95;

const levelOf = (percent: number): string => (percent >= FULL ? "full" : percent >= NEARLY ? "nearly" : "fine");

/** A scale with ten marks and a needle at what is used. */
export function Gauge({ percent, label }: Props) {
	const used = Math.min(100, Math.max(0, percent ?? 0));
	return (
		<svg
			class={`gauge ${levelOf(used)}`}
			viewBox="0 0 100 10"
			preserveAspectRatio="none"
			role="img"
			aria-label={`${label}: ${percent === undefined ? "not known" : percentText(percent)}`}
		>
			<rect class="ground" width="100" height="10" />
			<rect class="used" width={used} height="10" />
			{[10, 20, 30, 40, 50, 60, 70, 80, 90].map((at) => (
				<line key={at} x1={at} x2={at} y1={at === 50 ? 0 : 6} y2="10" />
			))}
		</svg>
	);
}
