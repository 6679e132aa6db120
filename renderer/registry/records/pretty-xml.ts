/** XML laid out to be read: one element a line, indented by depth. What is sealed has no such blanks; only the view does. Pure. */

const INDENT = '  '

/** A record's XML with line breaks. It holds elements with either text or elements, never both. */
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
