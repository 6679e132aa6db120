/** Largest logo file. */
export const MAX_LOGO_KIB = 1024

/** Maximum length that fits at the foot of a page beside the rest. */
export const FOOTER_CHARS = 400
export const FOOTER_LINES = 4
