/** Largest file of a logo. */
export const MAX_LOGO_KIB = 1024

/** What fits at the foot of a page beside what stands there anyway. */
export const FOOTER_CHARS = 400
export const FOOTER_LINES = 4
