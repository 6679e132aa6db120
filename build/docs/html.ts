/** HTML escaping, and anchors of headings. */

/** Escapes text for HTML content and attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Returns the anchor of a heading within its page. Codes and event types keep their underscores and dots. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9_. -]/g, '')
    .replace(/\.(?![a-z0-9_])/g, '')
    .trim()
    .replace(/[ -]+/g, '-')
}
