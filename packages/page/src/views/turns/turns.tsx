export const Turns = () => <p class="empty">Nothing yet.</p>;
