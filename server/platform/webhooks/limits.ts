/** Maximum number of webhooks per book. */
export const WEBHOOKS_AT_MOST = 20
