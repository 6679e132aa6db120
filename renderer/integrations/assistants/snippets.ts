/** Configuration snippets that connect each assistant to this Sello, in the form its documentation requires. Pure. */

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

/** Input of the snippets. */
export interface Facts {
  platform: Platform
  url: string
  secret: string
  /** Path of the bridge, for assistants that start programs. */
  bridge: string
}

/** One step: a command for a terminal, the content of a settings file, or a text to type. */
export interface Part {
  /** Its text is `connect.assistants.part.<name>`. */
  name: 'terminal' | 'file' | 'askedKey' | 'remote' | 'program' | 'unreachable'
  text: string
  /** Path of the file, in the notation of the system. */
  file?: string
}

const NAME = 'sello'
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'

/**
 * Quotes a word of a command line. Double quotes mean the same to bash, PowerShell and the Windows command prompt;
 * characters that any of them would expand inside are escaped.
 */
export function quoted(word: string, platform: Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  const inside = platform === 'windows' ? word.replace(/[`$"]/g, '`$&') : word.replace(/[\\`$"]/g, '\\$&')
  return `"${inside}"`
}

const line = (words: readonly string[], platform: Platform): string =>
  words.map((word) => quoted(word, platform)).join(' ')

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** Returns a file below the home folder. */
function atHome(platform: Platform, path: string): string {
  return platform === 'windows' ? `%USERPROFILE%\\${path.replaceAll('/', '\\')}` : `~/${path}`
}

const DESKTOP_FILE: Record<Platform, string> = {
  windows: '%APPDATA%\\Claude\\claude_desktop_config.json',
  mac: '~/Library/Application Support/Claude/claude_desktop_config.json',
  linux: '~/.config/Claude/claude_desktop_config.json',
}

/** Returns the steps for `program`, in order. Claude Desktop has the bundle as well, which needs none of them. */
export function partsFor(program: Program, { platform, url, secret, bridge }: Facts): Part[] {
  const bearer = `Bearer ${secret}`
  const headers = { Authorization: bearer }
  const header = `Authorization: ${bearer}`
  switch (program) {
    case 'claudeCode': {
      // For the user account, not for the current folder of the terminal.
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
    // Its connectors are called from its vendor's servers, which cannot reach an address of this computer.
    case 'chatGpt':
      return [{ name: 'unreachable', text: '' }]
    case 'vscode': {
      // The file is often inside the project: the editor asks for the key and stores it.
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
