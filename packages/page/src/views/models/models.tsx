export const Models = () => <p class="empty">Nothing yet.</p>;
