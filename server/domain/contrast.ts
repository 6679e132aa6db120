/** Checks that a colour is readable on white paper, by the formula of WCAG 2 (relative luminance, contrast ratio). */

const COLOUR = /^#[0-9a-f]{6}$/i

/** Contrast required for body text (WCAG 2.2, 1.4.3). */
const READABLE_CONTRAST = 4.5

/** Returns the contrast of a `#RRGGBB` colour on white, 1 to 21; 1 for text that is not such a colour. */
export function contrastOnWhite(colour: string): number {
  if (!COLOUR.test(colour)) return 1
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** Returns true if text in this colour on white, and white text on it, is readable. */
export function isReadableOnWhite(colour: string): boolean {
  return contrastOnWhite(colour) >= READABLE_CONTRAST
}
