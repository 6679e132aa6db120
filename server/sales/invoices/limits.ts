/** Lines of one invoice, at most. */
export const MAX_LINES = 500
