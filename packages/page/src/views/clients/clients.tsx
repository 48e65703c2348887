export const Clients = () => <p class="empty">Nothing yet.</p>;
