/** What to paste into each assistant so that it finds this Sello. */

export const PROGRAMS = ['claudeCode', 'cursor', 'vscode', 'other'] as const
export type Program = (typeof PROGRAMS)[number]

/** The text for `program`: a command, or the JSON of its settings file. */
export function snippetFor(program: Program, url: string, secret: string): string {
  const headers = { Authorization: `Bearer ${secret}` }
  if (program === 'claudeCode')
    return `claude mcp add --transport http sello ${url} --header "Authorization: Bearer ${secret}"`
  if (program === 'cursor') return JSON.stringify({ mcpServers: { sello: { url, headers } } }, null, 2)
  if (program === 'vscode')
    return JSON.stringify({ servers: { sello: { type: 'http', url, headers } } }, null, 2)
  return `${url}\nAuthorization: Bearer ${secret}`
}
