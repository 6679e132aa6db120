/**
 * Layout of XML for reading: one element per line, indented by depth. Only the view adds the whitespace, not the
 * sealed text. Pure.
 */

const INDENT = '  '

/** Returns the XML of a record with line breaks. Its elements contain either text or elements, never both. */
export function prettyXml(xml: string): string {
  let depth = 0
  return xml
    .replace(/></g, '>\n<')
    .split('\n')
    .map((line) => {
      const closes = line.startsWith('</')
      const opens = /^<[^/?!][^>]*[^/]>$/.test(line) || /^<\w>$/.test(line)
      if (closes) depth = Math.max(0, depth - 1)
      const shown = INDENT.repeat(depth) + line
      if (opens) depth += 1
      return shown
    })
    .join('\n')
}
