/** Opening the page: in the browser, from a server of its own, a running one, or a unit of the service manager. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runCommand } from '../../../server/cli/main.ts'

const windows = process.platform === 'win32'
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-open-'))
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'run/sello'), { recursive: true })
  // The system's program that opens addresses, which notes what it was given.
  for (const name of ['xdg-open', 'open'])
    program(name, `echo "$1" > ${folder}/opened.new; mv ${folder}/opened.new ${folder}/opened`)
  vi.stubEnv('PATH', `${join(folder, 'bin')}${delimiter}${process.env.PATH}`)
  vi.stubEnv('HOME', folder)
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

function program(name: string, script: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

/** Starts a command; `line` is its first line for programs. */
function start(...argv: string[]) {
  let stop = (): void => {}
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  const said: string[] = []
  let code: Promise<number> = Promise.resolve(-1)
  const line = new Promise<any>((resolve) => {
    code = runCommand(argv, {
      env: {
        SELLO_DATA: join(folder, 'data'),
        SELLO_KEY_FILE: join(folder, 'key'),
        XDG_RUNTIME_DIR: join(folder, 'run'),
      },
      answer: (text) => resolve(JSON.parse(text)),
      say: (text) => said.push(text),
      untilStopped: () => stopped,
    })
  })
  const end = async () => {
    stop()
    return code
  }
  return { line, said, end }
}

const linkFile = () => join(folder, 'run/sello/link')

async function opened(): Promise<string> {
  const file = join(folder, 'opened')
  await expect.poll(() => existsSync(file)).toBe(true)
  const address = readFileSync(file, 'utf8').trim()
  rmSync(file)
  return address
}

describe.skipIf(windows)('open', () => {
  test('starts a server and passes its link in a file; a second one opens the address alone', async () => {
    mkdirSync(join(folder, 'data'))
    const first = start('open', '--port', '0')
    const { url, uiUrl } = await first.line
    expect(await opened()).toMatch(/^file:\/\/.*\/sello-open-\w+\/open\.html$/)
    expect(first.said.join('\n')).toContain(`This link works once: ${uiUrl}`)
    const second = start('open', '--port', '0')
    expect(await second.line).toMatchObject({ url, uiUrl: `${url}/`, alreadyOpen: true })
    expect(await opened()).toBe(`${url}/`)
    expect([await second.end(), await first.end()]).toEqual([0, 0])
  })

  test('starts a unit of this user, and takes the link from its file', async () => {
    // What the unit runs leaves the link a moment after it was started.
    program(
      'systemctl',
      `echo "$*" >> ${folder}/asked; [ "$2" != start ] || (sleep 0.3; echo 'http://127.0.0.1:4545/#link=abc' > ${linkFile()}) &`,
    )
    const ran = start('open', '--unit', 'sello.service')
    expect(await opened()).toMatch(/open\.html$/)
    expect(existsSync(linkFile())).toBe(false)
    expect(await ran.end()).toBe(0)
    expect(await ran.line).toEqual({ unit: 'sello.service' })
    expect(readFileSync(join(folder, 'asked'), 'utf8').split('\n')[0]).toBe('--user start sello.service')
    // The unit has the books; no second server was started.
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  test('uses the link of a unit that runs already, once', async () => {
    mkdirSync(join(folder, 'data'))
    program('systemctl', `echo "$*" >> ${folder}/asked`)
    const service = start('serve', '--port', '0', '--window', '--link-file', linkFile())
    const { url } = await service.line
    const first = start('open', '--unit', 'sello.service')
    expect(await opened()).toMatch(/open\.html$/)
    expect(await first.end()).toBe(0)
    const second = start('open', '--unit', 'sello.service')
    expect(await second.line).toMatchObject({ url, alreadyOpen: true })
    expect(await opened()).toBe(`${url}/`)
    expect([await second.end(), await service.end()]).toEqual([0, 0])
    expect(existsSync(join(folder, 'asked'))).toBe(false)
  })

  test('runs the server itself if there is no unit, or if the unit ends at once', async () => {
    mkdirSync(join(folder, 'data'))
    for (const script of ['exit 5', '[ "$2" = start ]']) {
      program('systemctl', script)
      const ran = start('open', '--port', '0', '--unit', 'sello.service')
      expect((await ran.line).url, script).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      await opened()
      expect(await ran.end()).toBe(0)
    }
  })

  test('starts nothing but a unit', async () => {
    program('systemctl', `echo "$*" > ${folder}/asked`)
    const ran = start('open', '--unit=--now poweroff.target')
    expect((await ran.line).error).toMatchObject({ code: 'validation_failed' })
    expect(existsSync(join(folder, 'asked'))).toBe(false)
  })

  test('a service leaves its link in a file of its user, and prints none', async () => {
    mkdirSync(join(folder, 'data'))
    const service = start('serve', '--port', '0', '--window', '--link-file', linkFile())
    const answer = await service.line
    expect(answer.uiUrl).toBe(`${answer.url}/`)
    expect(`${JSON.stringify(answer)}${service.said.join('')}`).not.toContain('link=')
    expect(readFileSync(linkFile(), 'utf8')).toMatch(new RegExp(`^${answer.url}/#link=[\\w-]{43}\\n$`))
    expect(statSync(linkFile()).mode & 0o777).toBe(0o600)
    expect(await service.end()).toBe(0)
    expect(existsSync(linkFile())).toBe(false)
    const program = start('serve', '--port', '0', '--link-file', linkFile())
    expect((await program.line).error.code).toBe('validation_failed')
  })
})
