/** `sello platform`: the simulated platform as a program of its own, its folder, its page, and its help. */
import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../../../server/cli/main.ts'
import { ASSUMPTIONS } from '../../../../../server/documents/e-invoice/index.ts'
import {
  createExchangeClient,
  createTlsTransport,
} from '../../../../../server/integrations/exchange/client/index.ts'
import type { ExchangePort } from '../../../../../server/integrations/exchange/port.ts'
import { OPERATIONS } from '../../../../../server/integrations/exchange/wire/envelope.ts'
import { escapeHtml } from '../../../../../server/platform/simulated-authority/start.ts'
import {
  BUYER,
  codeOf,
  exchangeInvoice,
  messageOf,
  report,
  SELLER,
} from '../../../../support/exchange/exchange-invoices.ts'
import { needs } from '../../../../support/tools.ts'
import { control } from '../../../registry/systems/verifactu/simulator/loopback.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'sello-platform-test-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Runs the command until `stop`. */
async function started(...argv: string[]) {
  let stop = () => {}
  const stopped = new Promise<void>((done) => (stop = done))
  const lines: string[] = []
  let answered = () => {}
  const first = new Promise<void>((done) => (answered = done))
  const ended = runCommand(['platform', ...argv], {
    env: {},
    answer: (line) => {
      lines.push(line)
      answered()
    },
    say: () => {},
    untilStopped: () => stopped,
  })
  await first
  return { answer: JSON.parse(lines[0] ?? '{}'), lines, ended, stop: () => (stop(), ended) }
}

let ids = 0

/** A client with the certificate that the command made. */
function portOf(answer: any, company: typeof SELLER): ExchangePort {
  const { certificate, key } = answer.certificates[company.nif]
  const credential = {
    keyPem: readFileSync(key, 'utf8'),
    chainPem: readFileSync(certificate, 'utf8'),
    validFrom: 0,
    validTo: 8e15,
  }
  return createExchangeClient({
    transport: createTlsTransport({
      endpoint: { url: answer.url, caPem: readFileSync(answer.ca, 'utf8') },
      credential,
      now: () => new Date(),
      version: '1.2.3',
      limits: { verdictMs: 200 },
    }),
    company,
    senderNif: company.nif,
    now: () => new Date(),
    newId: () => `command-${++ids}`,
  })
}

test('it runs until it is stopped, and prints in one line where everything is', async () => {
  const { answer, lines, stop } = await started()
  expect(answer).toEqual({
    url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/$/),
    pageUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
    controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/control$/),
    ca: expect.any(String),
    pid: process.pid,
  })
  expect((await control(`${answer.controlUrl}/invoices`)).body).toEqual({ invoices: [] })
  expect(existsSync(dirname(answer.ca))).toBe(true)
  expect(await stop()).toBe(0)
  expect(lines).toHaveLength(1)
  expect(existsSync(dirname(answer.ca))).toBe(false)
})

test('a folder keeps invoices, root and certificates for the next start', async () => {
  const dir = folder()
  const clients = ['--clients', `${SELLER.nif},${BUYER.nif}`]
  const first = await started('--dir', dir, ...clients)
  const invoices = ['A-1', 'A-2'].map((number) => ({ xml: exchangeInvoice({ number }) }))
  const sent = await portOf(first.answer, SELLER).send(invoices)
  expect(sent.batch).toBe(200)
  await portOf(first.answer, BUYER).report(
    messageOf('recipient', [report('rejected', codeOf(), { date: '2026-01-01' })]),
  )
  await portOf(first.answer, SELLER).withdraw({ invoice: codeOf('A-2') })
  const before = (await control(`${first.answer.controlUrl}/invoices`)).body
  const ca = readFileSync(first.answer.ca, 'utf8')
  await first.stop()
  // The end of a write that a crash cut off.
  appendFileSync(join(dir, 'invoices.jsonl'), '[{"sequence":3,"inv')

  const second = await started('--dir', dir, ...clients)
  expect(readFileSync(second.answer.ca, 'utf8')).toBe(ca)
  expect((await control(`${second.answer.controlUrl}/invoices`)).body).toEqual(before)
  const seller = portOf(second.answer, SELLER)
  const again = await seller.send([...invoices, { xml: exchangeInvoice({ number: 'A-3' }) }])
  expect(again.items.map(({ code }) => code)).toEqual(['SPFE-SIM-DUPLICATE', '200', '200'])
  const { found } = await seller.find({ role: 'issuer', codes: [codeOf(), codeOf('A-2'), codeOf('A-3')] })
  expect(found.map(({ statuses }) => statuses.length)).toEqual([1, 0, 0])
  await second.stop()

  writeFileSync(join(dir, 'invoices.jsonl'), 'damaged\n')
  const third = await started('--dir', dir)
  expect(await third.ended).toBe(1)
  expect(third.answer.error).toMatchObject({ details: { faults: [{ field: 'dir' }] } })
})

test('powers, unknown numbers and a pace are options, and powers change while it runs', async () => {
  const adviser = { nif: '12345678Z', name: 'ASESORA' }
  const { answer, stop } = await started(
    ...['--clients', `${adviser.nif}`, '--powers', `${adviser.nif}:${SELLER.nif}:collaborator`],
    ...['--unknown', BUYER.nif, '--per-minute', '3'],
  )
  const port = portOf(answer, adviser)
  const refused = await port.send([{ xml: exchangeInvoice() }])
  expect(refused.items).toMatchObject([{ code: 'SPFE-SIM-RECIPIENT' }])
  const replaced = await control(answer.controlUrl, { powers: [] })
  expect(replaced.status).toBe(200)
  const toThird = exchangeInvoice({ buyer: { nif: 'B99999013', name: 'TERCERA SL' } })
  for (let times = 0; times < 2; times += 1)
    await expect(port.send([{ xml: toThird }])).rejects.toMatchObject({ code: 'not_allowed' })
  await expect(port.send([{ xml: toThird }])).rejects.toMatchObject({ code: 'throttled' })
  await stop()
})

test.each([
  ['a port that is none', ['--port', 'x'], 'port'],
  ['a control port that is none', ['--control-port', '70000'], 'control-port'],
  ['a number that is none', ['--clients', 'B12345675'], 'clients'],
  ['an unknown number that is none', ['--unknown', 'X'], 'unknown'],
  ['powers without a company', ['--powers', '12345678Z'], 'powers'],
  ['powers in another capacity', ['--powers', '12345678Z:B12345674:friend'], 'powers'],
  ['powers with more parts', ['--powers', '12345678Z:B12345674:attorney:x'], 'powers'],
  ['a pace that is none', ['--per-minute', '0'], 'per-minute'],
  ['a folder that is a file', ['--dir', join(import.meta.dirname, 'command.test.ts')], 'dir'],
  ['roots that are not there', ['--client-ca', join(import.meta.dirname, 'none.pem')], 'client-ca'],
  ['roots that are none', ['--client-ca', join(import.meta.dirname, 'command.test.ts')], 'client-ca'],
])('it rejects %s', async (_what, argv, field) => {
  const { answer, ended } = await started(...argv)
  expect(await ended).toBe(1)
  expect(answer.error).toMatchObject({ code: 'validation_failed', details: { faults: [{ field }] } })
})

describe('the page', () => {
  test('shows what it holds, in both languages, and nothing of a message as code', async () => {
    const { answer, stop } = await started('--clients', SELLER.nif)
    const hostile = { nif: BUYER.nif, name: '&lt;script&gt;' }
    const sent = await portOf(answer, SELLER).send([
      { xml: exchangeInvoice({ number: '&lt;b&gt;1&lt;/b&gt;', buyer: hostile }) },
    ])
    expect(sent.batch).toBe(200)
    const es = await fetch(answer.pageUrl)
    expect(es.headers.get('content-security-policy')).toContain("default-src 'none'")
    const text = await es.text()
    expect(text).toContain('<html lang="es">')
    expect(text).toContain('&#60;b&#62;1&#60;/b&#62;')
    expect(text).not.toContain('<b>1</b>')
    const english = await (await fetch(`${answer.pageUrl}?lang=en`)).text()
    for (const { id, title, assumed, source } of ASSUMPTIONS)
      for (const words of [title, assumed, source]) {
        expect(text, id).toContain(escapeHtml(words.es))
        expect(english, id).toContain(escapeHtml(words.en))
      }
    const locator = sent.items[0]?.locator ?? ''
    const xml = await fetch(`${answer.pageUrl}invoice?locator=${encodeURIComponent(locator)}`)
    expect(await xml.text()).toContain('<Invoice ')
    expect((await fetch(`${answer.pageUrl}other`)).status).toBe(404)
    await stop()
  })
})

async function help(): Promise<string> {
  const lines: string[] = []
  const io = {
    env: {},
    answer: (line: string) => void lines.push(line),
    say: () => {},
    untilStopped: () => Promise.resolve(),
  }
  expect(await runCommand(['platform', '--help'], io)).toBe(0)
  return lines.join('\n')
}

describe('the help', () => {
  test('names every address, option and fault', async () => {
    const text = await help()
    for (const { path, service, action } of Object.values(OPERATIONS))
      for (const name of [path, service, action]) expect(text).toContain(name)
    for (const option of [
      'port',
      'control-port',
      'dir',
      'clients',
      'powers',
      'unknown',
      'per-minute',
      'client-ca',
    ])
      expect(text).toContain(`--${option}`)
    for (const fault of [
      'down',
      'drop_request',
      'drop_reply',
      'slow',
      'half_answer',
      'error_500',
      'html_200',
      'fault_receiver',
      'throttled',
      'refuse',
    ])
      expect(text).toContain(fault)
  })

  needs(
    'curl',
    'openssl',
    'bash',
  )('contains a message that is taken as it stands', async () => {
    const dir = folder()
    const { answer, stop } = await started('--dir', dir)
    const text = await help()
    const from = text.indexOf('  --b1\n')
    const message = text.slice(from, text.indexOf('  --b1--') + 8).replaceAll(/^ {2}/gm, '')
    writeFileSync(join(dir, 'message.txt'), message)
    const commands = text
      .split('\n')
      .map((line) => line.trim())
      .join('\n')
      .replaceAll('\\\n', ' ')
    const [openssl = ''] = /^openssl .*$/m.exec(commands) ?? []
    const [curl = ''] = /^curl --cacert .*$/m.exec(commands) ?? []
    const line = `${openssl} 2>/dev/null && ${curl.replace('https://127.0.0.1:8470/', answer.url)}`
    const { stdout } = await promisify(execFile)('bash', ['-c', line], { cwd: dir })
    expect(stdout).toContain('<cbc:DocumentStatusCode>200</cbc:DocumentStatusCode>')
    await stop()
  })
})

needs('curl', 'openssl', 'bash')(
  'a script that was written from the help alone sends, rejects, corrects and pays',
  async () => {
    const { answer, stop } = await started()
    const script = resolve(import.meta.dirname, '../../../../support/exchange/platform-client.sh')
    const { stdout } = await promisify(execFile)('bash', [script, answer.url, answer.ca, answer.controlUrl])
    console.log(stdout.trim())
    expect(stdout.trim().split('\n')).toEqual([
      'sent A-1: 200 200 csv 16 characters',
      'sent A-1 again: 400 SPFE-SIM-DUPLICATE',
      'rejected A-1: 200 200',
      'paid A-1: 400 SPFE-SIM-STATUS-STANDS',
      'corrected by R-1: 200 200',
      'paid R-1: answer lost',
      'held: A-1 REJECTION;R-1 PAYMENT;',
    ])
    await stop()
  },
  60_000,
)
