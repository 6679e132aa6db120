/** `sello authority --returns`: the simulated filing services as a program of their own. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../../../server/cli/main.ts'
import { control } from '../../../registry/systems/verifactu/simulator/loopback.ts'
import { PATHS, QUERY } from './samples.ts'

/** Runs the command until `stop`. */
async function started(...argv: string[]) {
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  const lines: string[] = []
  let answered = () => {}
  const first = new Promise<void>((resolve) => (answered = resolve))
  const ended = runCommand(['authority', '--returns', ...argv], {
    env: {},
    answer: (line) => {
      lines.push(line)
      answered()
    },
    say: () => {},
    untilStopped: () => stopped,
  })
  await first
  const answer = JSON.parse(lines[0] ?? '{}')
  return { answer, lines, ended, stop: () => (stop(), ended) }
}

/** Asks what is filed, with the certificate that the command made. */
function query(answer: any): Promise<string> {
  const files = answer.certificate
    ? { pfx: readFileSync(answer.certificate), passphrase: readFileSync(answer.passwordFile, 'utf8') }
    : {}
  return new Promise((resolve, reject) => {
    const outgoing = request(
      answer.url + PATHS.query,
      {
        method: 'POST',
        agent: false,
        ca: readFileSync(answer.ca),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        ...files,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve(`${response.statusCode} ${text}`))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(new URLSearchParams(QUERY).toString())
  })
}

test('it runs until it is stopped, and prints in one line where everything is', async () => {
  const { answer, lines, stop } = await started()
  expect(answer).toEqual({
    url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
    controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/control$/),
    ca: expect.any(String),
    pid: process.pid,
  })
  expect(await query(answer)).toMatch(/^403 /)
  expect((await control(`${answer.controlUrl}/declared`)).body).toEqual({ declared: [] })
  expect(existsSync(dirname(answer.ca))).toBe(true)
  expect(await stop()).toBe(0)
  expect(lines).toHaveLength(1)
  expect(existsSync(dirname(answer.ca))).toBe(false)
})

test('it makes a client certificate, with which its services answer', async () => {
  const out = mkdtempSync(join(tmpdir(), 'sello-returns-test-'))
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  const { answer, stop } = await started('--out', out, '--certificate-for', QUERY.NIF, '--name', QUERY.ANR)
  expect(await query(answer)).toBe('200 <servicioConsultasDirectas></servicioConsultasDirectas>')
  expect(await stop()).toBe(0)
})

test.each([
  ['a wait, which is for the registry', ['--wait', '5'], 'wait'],
  ['powers without a filer', ['--powers', '12345678Z'], 'powers'],
  ['powers in another capacity', ['--powers', '12345678Z:B12345674:friend'], 'powers'],
  ['powers with more parts', ['--powers', '12345678Z:B12345674:legal:x'], 'powers'],
  ['a port that is no number', ['--port', 'x'], 'port'],
  ['a number that is none', ['--certificate-for', 'B12345675', '--name', 'X'], 'certificate-for'],
])('it rejects %s', async (_what, argv, field) => {
  const { answer, ended } = await started(...argv)
  expect(await ended).toBe(1)
  expect(answer.error).toMatchObject({ code: 'validation_failed', details: { faults: [{ field }] } })
})

test('powers are for the services of returns only', async () => {
  const lines: string[] = []
  const code = await runCommand(['authority', '--powers', '12345678Z:B12345674'], {
    env: {},
    answer: (line) => void lines.push(line),
    say: () => {},
    untilStopped: () => Promise.resolve(),
  })
  expect(code).toBe(1)
  expect(JSON.parse(lines[0] ?? '{}').error).toMatchObject({ details: { faults: [{ field: 'powers' }] } })
})

test('the help names it', async () => {
  const lines: string[] = []
  const io = {
    env: {},
    answer: (line: string) => void lines.push(line),
    say: () => {},
    untilStopped: () => Promise.resolve(),
  }
  expect(await runCommand(['help', 'authority'], io)).toBe(0)
  expect(lines.join('\n')).toContain('authority [--returns [--powers HOLDER:FILER[:HOW],…]] [--port N]')
})
