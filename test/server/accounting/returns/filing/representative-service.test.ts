/** A representative files from the live book of a sandbox, with its own certificate, over TLS, at `sello authority --returns`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../../../server/cli/main.ts'
import { openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { NO_SCHEMES } from '../../../../support/schemes.ts'
import { control } from '../../../registry/systems/verifactu/simulator/loopback.ts'

const COMPANY = { nif: 'B12345674', name: 'Talleres Ejemplo, S.L.' }
const ADVISER = { nif: 'A28000982', name: 'Gestoría Núñez, S.A.' }
const SETTINGS = {
  surnames: null,
  firstName: null,
  contactName: null,
  contactPhone: null,
  iban: null,
  live: true,
} as const
/** Ended before this test was written: the agency of the command has the clock of this computer. */
const VAT = { model: '303', year: 2026, quarter: 1 } as const

/** Runs the simulated agency with the certificate of the adviser until the test ends. */
async function agency(...argv: string[]) {
  const out = mkdtempSync(join(tmpdir(), 'sello-returns-test-'))
  let stop = (): void => {}
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  const answer = await new Promise<Record<string, string>>((resolve, reject) => {
    const ended = runCommand(
      [
        'authority',
        '--returns',
        '--out',
        out,
        '--certificate-for',
        ADVISER.nif,
        '--name',
        ADVISER.name,
        ...argv,
      ],
      { env: {}, answer: (line) => resolve(JSON.parse(line)), say: () => {}, untilStopped: () => stopped },
    )
    ended.catch(reject)
    onTestFinished(async () => {
      stop()
      await ended
      rmSync(out, { recursive: true, force: true })
    })
  })
  return {
    url: answer['url'] ?? '',
    controlUrl: answer['controlUrl'] ?? '',
    caPem: readFileSync(answer['ca'] ?? '', 'utf8'),
    certificate: {
      file: readFileSync(answer['certificate'] ?? '').toString('base64'),
      password: readFileSync(answer['passwordFile'] ?? '', 'utf8'),
    },
  }
}

async function sandboxAt({
  url,
  caPem,
  certificate,
}: Awaited<ReturnType<typeof agency>>): Promise<TestBooks> {
  const world = await openBooks({
    at: new Date().toISOString(),
    environment: { sandbox: true, returnsMockEndpoint: { url, caPem } },
  })
  await world.run('fiscal.setFilingSchemes', { ...NO_SCHEMES, year: VAT.year }, world.live)
  await world.run('certificates.import', certificate, world.live)
  await world.run(
    'fiscal.setFilingSettings',
    { ...SETTINGS, representation: { as: 'collaborator', nif: ADVISER.nif } },
    world.live,
  )
  return world
}

async function file(world: TestBooks) {
  const preview = await world.run('fiscal.prepareFiling', VAT, world.live)
  expect(preview.faults.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(preview).toMatchObject({
    way: 'service',
    nif: COMPANY.nif,
    signer: { ...ADVISER, representation: 'collaborator' },
  })
  const confirmationToken = preview.confirmationToken ?? ''
  return world.run('fiscal.fileReturn', { ...VAT, confirmationToken }, world.live)
}

test('what the register of powers allows is accepted, and the receipt is fetched', async () => {
  const at = await agency('--powers', `${ADVISER.nif}:${COMPANY.nif}:collaborator`)
  const world = await sandboxAt(at)
  const sending = await file(world)
  expect(sending).toMatchObject({
    state: 'accepted',
    hasDocument: true,
    filer: COMPANY,
    presenter: ADVISER,
    presenterAs: 'Colaborador social',
    declarant: { nif: COMPANY.nif },
    otherParties: [],
  })
  const { declared } = (await control(`${at.controlUrl}/declared`)).body as { declared: object[] }
  expect(declared).toMatchObject([{ nif: COMPANY.nif, presenterNif: ADVISER.nif, csv: sending.csv }])
})

test('without a power nothing is filed, and one that is registered meanwhile counts at once', async () => {
  const at = await agency()
  const world = await sandboxAt(at)
  const refused = await file(world)
  expect(refused).toMatchObject({ state: 'not_sent', why: 'query_unavailable' })
  expect(refused.detail).toMatch(/^S0010 - /)
  const powers = [{ nif: ADVISER.nif, for: COMPANY.nif, as: 'legal' }]
  expect((await control(at.controlUrl, { powers })).status).toBe(200)
  expect(await file(world)).toMatchObject({ state: 'accepted', presenterAs: 'Representante legal' })
})

test('a sandbox without an address of its own for returns files nothing, whatever the registry has', async () => {
  const at = await agency()
  const world = await openBooks({
    at: new Date().toISOString(),
    environment: { sandbox: true, mockEndpoint: { url: at.url, caPem: at.caPem } },
  })
  await world.run('certificates.import', at.certificate, world.live)
  await world.run('fiscal.setFilingSettings', SETTINGS, world.live)
  expect(await world.run('fiscal.prepareFiling', VAT, world.live)).toMatchObject({
    way: 'upload',
    wayWhy: 'sandbox',
    signer: null,
  })
})
