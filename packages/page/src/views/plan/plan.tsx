export const Plan = () => <p class="empty">Nothing yet.</p>;
