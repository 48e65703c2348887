export const Health = () => <p class="empty">Nothing yet.</p>;
