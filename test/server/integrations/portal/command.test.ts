/** `sello portal`: the simulated portal as a program of its own, with its control port and its page. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../../server/cli/main.ts'
import { createFaceService } from '../../../../server/integrations/portal/face/index.ts'
import { createLiveTransport } from '../../../../server/integrations/portal/face/transport.ts'
import { openSigningKey } from '../../../../server/documents/signing/index.ts'
import { control } from '../../registry/systems/verifactu/simulator/loopback.ts'
import { openLiveAt, PUBLIC_BODY, UNITS } from './samples.ts'

async function started(...argv: string[]) {
  let stop = (): void => {}
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  const answer = await new Promise<Record<string, string>>((resolve, reject) => {
    const ended = runCommand(['portal', ...argv], {
      env: {},
      answer: (line) => resolve(JSON.parse(line)),
      say: () => {},
      untilStopped: () => stopped,
    })
    ended.catch(reject)
    onTestFinished(async () => {
      stop()
      await ended
    })
  })
  const caPem = readFileSync(answer['ca'] ?? '', 'utf8')
  return { url: answer['url'] ?? '', controlUrl: answer['controlUrl'] ?? '', caPem, answer }
}

function page(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })
}

test('an invoice is submitted to the command, and its control port moves it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-portal-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'units.txt')
  writeFileSync(file, `# offices\n${Object.values(UNITS).join(';')};L01280700\n`)
  const portal = await started('--units', file)
  const world = await openLiveAt(portal, new Date().toISOString())
  const invoice = await world.invoice(PUBLIC_BODY, world.live)
  const submission = await world.run('portal.submit', { invoiceId: invoice.id }, world.live)
  expect(submission).toMatchObject({ state: 'registered' })
  const registryNumber = submission.registryNumber ?? ''
  expect(await page(`${portal.url}/`, portal.caPem)).toContain(registryNumber)
  const move = { registryNumber, code: '2600', reason: 'No procede' }
  expect(await control(portal.controlUrl, { state: move })).toMatchObject({ status: 200 })
  expect(await control(portal.controlUrl, { state: { ...move, code: '2500' } })).toMatchObject({
    status: 422,
  })
  const seen = await world.run('portal.refresh', { id: submission.id }, world.live)
  expect(seen.states.at(-1)).toMatchObject({ code: '2600', reason: 'No procede' })
  // Offices that it does not know are refused.
  const other = await world.invoice(PUBLIC_BODY, world.live)
  const units = { ...UNITS, processingUnit: 'L01280701' }
  expect(await world.run('portal.submit', { invoiceId: other.id, units }, world.live)).toMatchObject({
    state: 'refused',
    why: '9302',
  })
})

test('its lists are those of the file, and the certificate that it made is taken', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-portal-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'units.txt')
  writeFileSync(file, `${Object.values(UNITS).join(';')};L01280700\n`)
  const out = join(folder, 'out')
  const { url, caPem, answer } = await started(
    ...['--units', file, '--out', out, '--certificate-for', 'B12345674', '--name', 'Talleres Ejemplo, S.L.'],
  )
  const pem = (name: string): string => readFileSync(answer[name] ?? '', 'utf8')
  const service = createFaceService({
    transport: createLiveTransport({ environment: 'test', version: '0', standIn: { url, caPem } }),
    key: openSigningKey({ keyPem: pem('keyPem'), chainPem: pem('certificatePem') }),
    now: () => new Date(),
  })
  expect(await service.units('L01280700')).toEqual({ kind: 'answered', units: [UNITS] })
  expect(await service.units('L01280701')).toEqual({ kind: 'answered', units: [] })
  expect(await service.taxNumbers()).toMatchObject({ kind: 'answered' })
  const meanings = await service.meanings()
  expect(meanings.kind === 'answered' && meanings.states.map(({ code }) => code)).toEqual([
    '1200',
    '1300',
    '2400',
    '2500',
    '2600',
    '3100',
    '4100',
    '4200',
    '4300',
    '4400',
  ])
})

test('wrong options are refused', async () => {
  const code = await runCommand(['portal', '--units', import.meta.filename], {
    env: {},
    answer: () => {},
    say: () => {},
    untilStopped: async () => {},
  })
  expect(code).not.toBe(0)
})
