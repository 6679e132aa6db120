import { X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../../../../server/cli/main.ts'
import { makeAuthorityCa } from '../../../../../../server/platform/simulated-authority/certificates/certificates.ts'
import { holderNifs } from '../../../../../../server/platform/simulated-authority/certificates/client-certificate.ts'
import { control } from './loopback.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'sello-authority-test-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Runs the command; `stop` is the signal, `ended` its exit code. */
async function started(...argv: string[]) {
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  const lines: string[] = []
  const said: string[] = []
  let answered = () => {}
  const first = new Promise<void>((resolve) => (answered = resolve))
  const ended = runCommand(['authority', ...argv], {
    env: {},
    answer: (line) => {
      lines.push(line)
      answered()
    },
    say: (text) => void said.push(text),
    untilStopped: () => stopped,
  })
  await first
  const answer = JSON.parse(lines[0] ?? '{}')
  return {
    answer,
    lines,
    stop: () => {
      stop()
      return ended
    },
    ended,
  }
}

/** Returns the service's answer to GET with a PKCS#12 file, or the code of the failure. */
function knock(answer: any): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request(
      answer.url,
      {
        agent: false,
        ca: readFileSync(answer.ca),
        ...(answer.certificate
          ? { pfx: readFileSync(answer.certificate), passphrase: readFileSync(answer.passwordFile, 'utf8') }
          : {}),
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve(`${response.statusCode} ${text}`))
      },
    )
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    outgoing.end()
  })
}

describe('sello authority', () => {
  test('runs until it is stopped, and prints in one line where everything is', async () => {
    const { answer, lines, stop } = await started()
    expect(answer).toEqual({
      url: expect.stringMatching(
        /^https:\/\/127\.0\.0\.1:\d+\/wlpl\/TIKE-CONT\/ws\/SistemaFacturacion\/VerifactuSOAP$/,
      ),
      qrUrl: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/wlpl\/TIKE-CONT\/ValidarQR$/),
      controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/control$/),
      ca: expect.any(String),
      pid: process.pid,
    })
    expect(await knock(answer)).toMatch(/^403 /)
    expect((await control(`${answer.controlUrl}/records`)).body).toEqual({ records: [] })
    const temporary = dirname(answer.ca)
    expect(existsSync(temporary)).toBe(true)
    expect(await stop()).toBe(0)
    expect(lines).toHaveLength(1)
    expect(existsSync(temporary)).toBe(false)
    expect(await knock({ ...answer, ca: new URL(import.meta.url) })).toBe('ECONNREFUSED')
  })

  test.each([
    ['B12345674', 'TALLERES ÑORTE SL', [], 'CN=12345678Z REPRESENTANTE DE EJEMPLO (R: B12345674)'],
    ['B12345674', 'TALLERES ÑORTE SL', ['--kind', 'seal'], 'CN=TALLERES ÑORTE SL'],
    ['89890001K', 'ANA GIL RUIZ', [], 'CN=GIL RUIZ ANA - 89890001K'],
  ])('makes a client certificate for %s %s %j', async (nif, name, more, commonName) => {
    const out = folder()
    const { answer, stop } = await started(
      '--out',
      out,
      '--wait',
      '5',
      '--certificate-for',
      nif,
      '--name',
      name,
      ...more,
    )
    expect(answer).toMatchObject({
      certificate: join(out, 'client.p12'),
      passwordFile: join(out, 'client-password.txt'),
    })
    for (const file of [answer.certificate, answer.passwordFile, answer.keyPem])
      expect(statSync(file).mode & 0o077).toBe(0)
    const certificate = new X509Certificate(readFileSync(answer.certificatePem))
    expect(certificate.subject).toContain(commonName)
    expect(holderNifs(certificate)).toEqual([nif])
    expect(await knock(answer)).toContain('Codigo[4135].')
    expect(await stop()).toBe(0)
    // A folder given by the caller stays.
    expect(existsSync(answer.ca)).toBe(true)
  })

  test('accepts only clients of named authorities, where a file names them', async () => {
    const out = folder()
    const file = join(out, 'clients.pem')
    const [one, other] = [await makeAuthorityCa(), await makeAuthorityCa()]
    writeFileSync(file, one.certPem + other.certPem)
    const { answer, stop } = await started(
      '--client-ca',
      file,
      '--out',
      out,
      '--certificate-for',
      '89890001K',
      '--name',
      'ANA GIL',
    )
    expect(await knock(answer)).toMatch(/^403 /)
    await stop()
  })

  test.each<[string, string[], string]>([
    ['a port that is no number', ['--port', 'x'], 'port'],
    ['a wait that is no number', ['--wait', '1m'], 'wait'],
    ['a file that is not there', ['--client-ca', '/nowhere/ca.pem'], 'client-ca'],
    ['a file without certificates', ['--client-ca', import.meta.filename], 'client-ca'],
    ['a number that is none', ['--certificate-for', '89890001A', '--name', 'X'], 'certificate-for'],
    ['no name', ['--certificate-for', '89890001K'], 'name'],
    ['an unknown kind', ['--certificate-for', '89890001K', '--name', 'X', '--kind', 'ghost'], 'kind'],
    ['a kind for companies', ['--certificate-for', '89890001K', '--name', 'X', '--kind', 'seal'], 'kind'],
    ['a kind for persons', ['--certificate-for', 'B12345674', '--name', 'X', '--kind', 'person'], 'kind'],
    ['a folder that cannot be one', ['--out', join(import.meta.filename, 'x')], 'out'],
  ])('rejects %s', async (_what, argv, field) => {
    const { answer, ended } = await started(...argv)
    expect(await ended).toBe(1)
    expect(answer.error).toMatchObject({ code: 'validation_failed', details: { faults: [{ field }] } })
  })

  test('rejects a port in use, and a certificate that cannot be read', async () => {
    const { answer, stop } = await started()
    const second = await started('--port', new URL(answer.url).port)
    expect(second.answer.error.details.faults).toMatchObject([{ field: 'port' }])
    await stop()
    const file = join(folder(), 'broken.pem')
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    const third = await started('--client-ca', file)
    expect(third.answer.error.details.faults).toMatchObject([{ field: 'client-ca' }])
  })
})
