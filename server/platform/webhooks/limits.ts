/** Webhooks of a book, at most. */
export const WEBHOOKS_AT_MOST = 20
