/** What to paste into each assistant so that it finds this Sello, as its own documentation wants it written. Pure. */

export const PROGRAMS = [
  'claudeCode',
  'claudeDesktop',
  'cursor',
  'vscode',
  'lmStudio',
  'geminiCli',
  'chatGpt',
  'inspector',
  'other',
] as const
export type Program = (typeof PROGRAMS)[number]

export type Platform = 'windows' | 'mac' | 'linux'

/** What the snippets are made of. */
export interface Facts {
  platform: Platform
  url: string
  secret: string
  /** Path of the bridge, for assistants that start programs. */
  bridge: string
}

/** One thing to do: a command for a terminal, the content of a settings file, or a text to type. */
export interface Part {
  /** Its words are `connect.assistants.part.<name>`. */
  name: 'terminal' | 'file' | 'askedKey' | 'remote' | 'program' | 'unreachable'
  text: string
  /** Where the file lies, as the system writes it. */
  file?: string
}

const NAME = 'sello'
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'

/**
 * A word of a command line. Double quotes mean the same to bash, PowerShell and the old prompt of Windows; what each of them
 * would still read inside is written so that it does not.
 */
export function quoted(word: string, platform: Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  const inside = platform === 'windows' ? word.replace(/[`$"]/g, '`$&') : word.replace(/[\\`$"]/g, '\\$&')
  return `"${inside}"`
}

const line = (words: readonly string[], platform: Platform): string =>
  words.map((word) => quoted(word, platform)).join(' ')

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** A file below the home folder. */
function atHome(platform: Platform, path: string): string {
  return platform === 'windows' ? `%USERPROFILE%\\${path.replaceAll('/', '\\')}` : `~/${path}`
}

const DESKTOP_FILE: Record<Platform, string> = {
  windows: '%APPDATA%\\Claude\\claude_desktop_config.json',
  mac: '~/Library/Application Support/Claude/claude_desktop_config.json',
  linux: '~/.config/Claude/claude_desktop_config.json',
}

/** What is to be done for `program`, in order. Claude Desktop has the bundle besides, which needs none of this. */
export function partsFor(program: Program, { platform, url, secret, bridge }: Facts): Part[] {
  const bearer = `Bearer ${secret}`
  const headers = { Authorization: bearer }
  const header = `Authorization: ${bearer}`
  switch (program) {
    case 'claudeCode': {
      // For the user, not for the folder that the terminal happens to stand in.
      const words = [
        'claude',
        'mcp',
        'add',
        '--scope',
        'user',
        '--transport',
        'http',
        NAME,
        url,
        '--header',
        header,
      ]
      return [{ name: 'terminal', text: line(words, platform) }]
    }
    case 'claudeDesktop': {
      const server = { command: 'node', args: [bridge], env: { SVC_API_KEY: secret } }
      return [
        { name: 'program', text: json({ mcpServers: { [NAME]: server } }), file: DESKTOP_FILE[platform] },
      ]
    }
    case 'cursor':
    case 'lmStudio': {
      const folder = program === 'cursor' ? '.cursor' : '.lmstudio'
      const text = json({ mcpServers: { [NAME]: { url, headers } } })
      return [{ name: 'file', text, file: atHome(platform, `${folder}/mcp.json`) }]
    }
    case 'geminiCli': {
      const text = json({ mcpServers: { [NAME]: { httpUrl: url, headers } } })
      return [{ name: 'file', text, file: atHome(platform, '.gemini/settings.json') }]
    }
    // Its connectors are called from its vendor's servers, which reach no address of this computer.
    case 'chatGpt':
      return [{ name: 'unreachable', text: '' }]
    case 'vscode': {
      // The file often lies among the project's own: the key is asked for and kept by the editor.
      const id = `${NAME}-key`
      const inputs = [{ type: 'promptString', id, description: 'Sello', password: true }]
      const server = { type: 'http', url, headers: { Authorization: `Bearer \${input:${id}}` } }
      return [
        {
          name: 'file',
          text: json({ inputs, servers: { [NAME]: server } }),
          file: platform === 'windows' ? '.vscode\\mcp.json' : '.vscode/mcp.json',
        },
        { name: 'askedKey', text: secret },
      ]
    }
    case 'inspector': {
      const words = ['npx', INSPECTOR, '--cli', url, '--transport', 'http', '--header', header]
      return [{ name: 'terminal', text: line([...words, '--method', 'tools/list'], platform) }]
    }
    case 'other':
      return [{ name: 'remote', text: `${url}\n${header}` }]
  }
}
