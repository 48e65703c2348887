import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { announcement, connection, live } from "./gateway/live.ts";
import { sessionState, signOut } from "./gateway/session.ts";
import { Mark } from "./parts/mark.tsx";
import { route, VIEWS, type View } from "./route.ts";
import { nextTheme, theme } from "./theme.ts";
import { Clients } from "./views/clients/clients.tsx";
import { Closed } from "./views/closed.tsx";
import { Health } from "./views/health/health.tsx";
import { Models } from "./views/models/models.tsx";
import { Now } from "./views/now/now.tsx";
import { Plan } from "./views/plan/plan.tsx";
import { Turns } from "./views/turns/turns.tsx";

const COMPONENTS: Record<View, FunctionComponent> = {
	now: Now,
	plan: Plan,
	turns: Turns,
	models: Models,
	clients: Clients,
	health: Health,
};

const titleOf = (view: View): string => view.charAt(0).toUpperCase() + view.slice(1);

export function App() {
	return sessionState.value === "open" ? <Open /> : <Closed />;
}

function Open() {
	const { view } = route.value;
	const Component = COMPONENTS[view];
	return (
		<>
			<button type="button" class="skip" onClick={skipToMain}>
				Skip to the content
			</button>
			<Header view={view} />
			<Main view={view}>
				<Component />
			</Main>
			<output class="unseen" aria-live="polite">
				{announcement}
			</output>
		</>
	);
}

/** A button and no link, because the address holds the route. */
const skipToMain = () => document.getElementById("main")?.focus();

function Header({ view }: { view: View }) {
	return (
		<header class="bar">
			<a class="brand" href="#/now" aria-label="Cursorwire, now">
				<Mark />
				<span>cursorwire</span>
			</a>
			<nav aria-label="Views">
				{VIEWS.map((name) => (
					<a key={name} href={`#/${name}`} aria-current={name === view ? "page" : undefined}>
						{titleOf(name)}
						{name === "now" && <Count />}
					</a>
				))}
			</nav>
			<div class="tools">
				<Connection />
				<button type="button" class="quiet" onClick={nextTheme} title="Light, dark, or as the system says">
					<span aria-hidden="true">◐ </span>
					<span class="unseen">Colours: </span>
					{theme.value}
				</button>
				<button type="button" class="quiet" onClick={() => void signOut()}>
					Sign out
				</button>
			</div>
		</header>
	);
}

/** How many turns are under way, on every view. */
function Count() {
	const count = live.value?.lanes.length ?? 0;
	return count === 0 ? null : <span class="count">{count}</span>;
}

function Connection() {
	const state = connection.value;
	return (
		<output class={`connection ${state}`} aria-live="polite">
			<i aria-hidden="true" />
			{state}
		</output>
	);
}

function Main({ view, children }: { view: View; children: ComponentChildren }) {
	const main = useRef<HTMLElement>(null);
	const shown = useRef(view);
	useEffect(() => {
		document.title = `${titleOf(view)} · Cursorwire`;
		if (shown.current !== view) {
			main.current?.focus({ preventScroll: true });
			scrollTo(0, 0);
		}
		shown.current = view;
	}, [view]);
	return (
		<main id="main" class={`view ${view}`} tabIndex={-1} ref={main}>
			<h1 class="unseen">{titleOf(view)}</h1>
			{children}
		</main>
	);
}
