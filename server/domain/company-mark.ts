/** How a company is recognized at a glance: a colour of the palette and one or two letters. */

/** Colours of the palette; the window has their values. */
export const COMPANY_COLOURS = 10

/** Returns the place in the palette: the chosen one, or one that follows from the identifier and never changes. */
export function companyColour(publicId: string, chosen: number | null): number {
  if (chosen !== null) return chosen
  // FNV-1a: neighbouring identifiers get different colours.
  let hash = 0x811c9dc5
  for (const sign of publicId) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash % COMPANY_COLOURS
}

/** Returns the letters: the chosen ones, or the initials of the first two words of the name. */
export function companyMark(name: string, chosen: string | null): string {
  if (chosen !== null) return chosen
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const initials = words.slice(0, 2).map((word) => [...word][0]?.toUpperCase() ?? '')
  return initials.join('') || '?'
}
