/** Configuration snippets, parsed by the programs they are for. */
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partsFor, PROGRAMS, quoted } from '../../../../renderer/integrations/assistants/snippets.ts'
import type { Facts, Platform, Program } from '../../../../renderer/integrations/assistants/snippets.ts'
import en from '../../../../renderer/locales/en/index.ts'
import es from '../../../../renderer/locales/es/index.ts'

const SECRET = 'svc_test_8hT2kQ0pVb7XcD4sLm9RzA1eYw3UnG5J'
const URL_HERE = 'http://127.0.0.1:4545/api/mcp/svc'
const BRIDGES: Record<Platform, string> = {
  windows: 'C:\\Users\\Ana María\\AppData\\Roaming\\sello\\sello-bridge.mjs',
  mac: '/Users/ana/Library/Application Support/sello/sello-bridge.mjs',
  linux: '/home/ana/.config/sello/sello-bridge.mjs',
}
const PLATFORMS: Platform[] = ['windows', 'mac', 'linux']
const factsOn = (platform: Platform): Facts => ({
  platform,
  url: URL_HERE,
  secret: SECRET,
  bridge: BRIDGES[platform],
})
const parts = (program: Program, platform: Platform) => partsFor(program, factsOn(platform))
const jsonOf = (program: Program, platform: Platform) => JSON.parse(parts(program, platform)[0]!.text)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-snippets-'))
  for (const name of ['claude', 'npx']) {
    writeFileSync(join(folder, name), '#!/bin/sh\nfor word in "$@"; do printf \'%s\\n\' "$word"; done\n')
    chmodSync(join(folder, name), 0o755)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the arguments that a shell passes to a program. */
async function wordsIn(shell: string, command: string): Promise<string[]> {
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
  const { stdout } = await promisify(execFile)(shell, ['-c', command], { env })
  return stdout.trimEnd().split('\n')
}

const shells = ['sh', 'bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0)

/** Splits a line as PowerShell does; no other syntax of its language may occur in it. */
function powerShellWords(command: string): string[] {
  expect(command).not.toMatch(/[;|&<>(){}'\n]/)
  const words = [...command.matchAll(/"((?:`.|[^`"$])*)"|([^\s"`$]+)/g)]
  expect(words.map(([whole]) => whole).join(' ')).toBe(command)
  return words.map(([, inside, bare]) => inside?.replace(/`(.)/g, '$1') ?? bare ?? '')
}

const CLAUDE = [
  'mcp',
  'add',
  '--scope',
  'user',
  '--transport',
  'http',
  'sello',
  URL_HERE,
  '--header',
  `Authorization: Bearer ${SECRET}`,
]

describe.skipIf(process.platform === 'win32')('commands', () => {
  test.each(shells)('in %s reach their program word by word', async (shell) => {
    for (const platform of ['mac', 'linux'] as const) {
      expect(await wordsIn(shell, parts('claudeCode', platform)[0]!.text)).toEqual(CLAUDE)
      const asked = await wordsIn(shell, parts('inspector', platform)[0]!.text)
      expect(asked.slice(0, 3)).toEqual(['@modelcontextprotocol/inspector@2.12.0', '--cli', URL_HERE])
      expect(asked.slice(-3)).toEqual([`Authorization: Bearer ${SECRET}`, '--method', 'tools/list'])
    }
  })

  test.each(shells)('in %s preserve any characters in a word', async (shell) => {
    for (const word of ['a b', '$HOME', '`id`', '"', '\\', "it's", '$(id)', 'a\\"b', '*', '~', 'ñ'])
      expect(await wordsIn(shell, `claude ${quoted(word, 'linux')}`)).toEqual([word])
  })
})

test('PowerShell receives the same words', () => {
  expect(powerShellWords(parts('claudeCode', 'windows')[0]!.text)).toEqual(['claude', ...CLAUDE])
  for (const word of ['a b', '$HOME', '`id`', '"', '\\', '$(id)'])
    expect(quoted(word, 'windows').slice(1, -1).replace(/`(.)/g, '$1')).toBe(word)
})

describe.each(PLATFORMS)('settings files on %s', (platform) => {
  test('are JSON in the format of each program', () => {
    const server = { url: URL_HERE, headers: { Authorization: `Bearer ${SECRET}` } }
    expect(jsonOf('cursor', platform)).toEqual({ mcpServers: { sello: server } })
    expect(jsonOf('lmStudio', platform)).toEqual({ mcpServers: { sello: server } })
    const { headers } = server
    expect(jsonOf('geminiCli', platform)).toEqual({ mcpServers: { sello: { httpUrl: URL_HERE, headers } } })
    expect(jsonOf('claudeDesktop', platform)).toEqual({
      mcpServers: {
        sello: { command: 'node', args: [BRIDGES[platform]], env: { SVC_API_KEY: SECRET } },
      },
    })
  })

  test('do not exist for programs that cannot reach this computer: these say so, and get no key', () => {
    expect(parts('chatGpt', platform)).toEqual([{ name: 'unreachable', text: '' }])
  })

  test('of the editor contain no key: it is asked for, and shown apart', () => {
    const [file, asked] = parts('vscode', platform)
    expect(file!.text).not.toContain(SECRET)
    expect(asked).toEqual({ name: 'askedKey', text: SECRET })
    const { inputs, servers } = JSON.parse(file!.text)
    expect(inputs).toEqual([{ type: 'promptString', id: 'sello-key', description: 'Sello', password: true }])
    expect(servers.sello).toEqual({
      type: 'http',
      url: URL_HERE,
      headers: { Authorization: `Bearer \${input:${inputs[0].id}}` },
    })
  })

  test("are in the system's folder for such files", () => {
    const files = PROGRAMS.flatMap((program) => parts(program, platform).map(({ file }) => file)).filter(
      Boolean,
    )
    expect(files).toHaveLength(5)
    for (const file of files)
      expect(file).toMatch(platform === 'windows' ? /^(%\w+%|\.vscode)(\\[^/\\]+)+$/ : /^[~.][^\\]+\.json$/)
  })
})

test('every program and part has a text in both languages', () => {
  for (const words of [es, en]) {
    const { program, part } = words.connect.assistants
    expect(Object.keys(program).toSorted()).toEqual([...PROGRAMS].toSorted())
    const names = PROGRAMS.flatMap((each) => parts(each, 'linux').map(({ name }) => name))
    expect(Object.keys(part).toSorted()).toEqual([...new Set(names)].toSorted())
  }
})
