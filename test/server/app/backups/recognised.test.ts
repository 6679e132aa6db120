/**
 * Books restored or opened on another computer are recognised before they issue; resuming queries the authority and
 * gives no number twice.
 */
import { embedded } from '../../../../server/db/embedded/port.ts'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startSello } from '../../../../server/api/application.ts'
import type { RunningSello } from '../../../../server/api/application.ts'
import { makePortableAt } from '../../../../server/app/backups/index.ts'
import { NO_BOOK, createCtx } from '../../../../server/context.ts'
import { PERSON } from '../../../../server/api/http/index.ts'
import { memoryState } from '../../../../server/registry/systems/verifactu/simulator/index.ts'
import { startAuthorityServer } from '../../../../server/registry/systems/verifactu/simulator/server.ts'
import { cleanFolder, exportOf, keyOf, restoreWith } from '../../../support/stages/backups.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { broken } from '../../../support/cuts/books.ts'
import { confirmedDraft, issue, openClient } from '../../../support/cuts/load.ts'
import type { Client } from '../../../support/cuts/load.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { inLongRun, swept } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const PASSWORD = 'copias'
const HERE = 'computer-one'
const THERE = 'computer-two'

interface Issued {
  id: string
  number: string | null
  registry: { status: string; hash: string | null }
}

/** A company's live book in a sandbox, an authority for it, and the computers that opened it. */
class Shop {
  readonly folder = cleanFolder()
  readonly state = memoryState()
  code = ''
  private environment: Record<string, string> = {}
  private drafts = 0
  private key: string | undefined

  async open(): Promise<void> {
    const authority = await startAuthorityServer({ state: this.state, waitSeconds: 0 })
    onTestFinished(() => authority.close())
    const caFile = `${cleanFolder()}.pem`
    writeFileSync(caFile, authority.caPem)
    this.environment = { SELLO_TEST_AUTHORITY_URL: authority.url, SELLO_TEST_AUTHORITY_CA: caFile }
    await this.on(HERE, async (client, { env }) => {
      const fresh = embedded(env.store).newRecoveryCode()
      fresh.confirm()
      this.code = fresh.code
      const { p12 } = makeP12({
        kind: 'seal',
        nif: EXAMPLE_COMPANY.nif,
        name: 'Sello de Talleres Ejemplo',
        organization: EXAMPLE_COMPANY.legalName,
        organizationNif: EXAMPLE_COMPANY.nif,
        keyType: 'ec',
        from: '2025-01-01T00:00:00Z',
        to: '2039-01-01T00:00:00Z',
        password: PASSWORD,
      })
      await client.window('certificates.import', { file: p12.toString('base64'), password: PASSWORD })
    })
  }

  /** Starts Sello over the books of a folder, on a computer, until `work` is done. */
  async on<T>(
    computer: string | null,
    work: (client: Client, running: RunningSello) => Promise<T>,
    folder = this.folder,
  ): Promise<T> {
    const running = await startSello({
      dataDir: folder,
      create: true,
      sandbox: true,
      keychain: null,
      // The owner, who lets a live key issue without approval.
      person: { available: () => true, ask: async () => true },
      computer,
      cacheKib: 2048,
      port: 0,
      uiDir: null,
      environment: this.environment,
    })
    try {
      const client = await openClient(running, { mode: 'live', known: this.key })
      this.key = client.key
      return await work(client, running)
    } finally {
      await running.close()
    }
  }

  /** Issues, and waits until the authority has answered: a book with an open query sends nothing else. */
  async sell(client: Client): Promise<string> {
    const answer = await issue(client, await confirmedDraft(client, this.drafts++))
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    const { id, number, registry } = answer.body.data as Issued
    await vi.waitUntil(
      async () =>
        (await client.rest<Issued>('GET', `/invoices/${id}`)).body.data.registry.status === 'accepted',
      { timeout: 30_000, interval: 50 },
    )
    expect(this.state.records().some(({ hash }) => hash === registry.hash)).toBe(true)
    return String(number).split('-').at(-1) ?? ''
  }

  held(computer: string | null, folder = this.folder): Promise<boolean> {
    return this.on(computer, isHeld, folder)
  }
}

const isHeld = async (client: Client): Promise<boolean> =>
  (await client.window('registry.status', {})).chain.held === 'restored_copy'

async function openShop(): Promise<Shop> {
  const shop = new Shop()
  await shop.open()
  return shop
}

/** Makes a portable backup of the open books. */
async function portable({ env }: RunningSello): Promise<string> {
  const file = `${cleanFolder()}.sellobak`
  const ctx = createCtx({ env, book: NO_BOOK, actor: PERSON, channel: 'ui', requestId: 'copy' })
  await makePortableAt(ctx, file)
  return file
}

const RESTORED = [
  { what: 'over the books it was made of', computer: HERE, clean: false },
  { what: 'on another computer, with the code alone', computer: THERE, clean: true },
]

test.for(swept(RESTORED, ({ computer }) => computer === THERE))(
  'a restored old copy $what is recognised, queries the authority, and continues after the highest number',
  { timeout: 120_000 },
  async ({ computer, clean }) => {
    const shop = await openShop()
    const file = await shop.on(HERE, async (client, running) => {
      expect([await shop.sell(client), await shop.sell(client)]).toEqual(['0001', '0002'])
      const made = await portable(running)
      expect([await shop.sell(client), await shop.sell(client)]).toEqual(['0003', '0004'])
      return made
    })
    const folder = clean ? cleanFolder() : shop.folder
    const newer = exportOf(shop.folder)
    const { aside } = await restoreWith(folder, file, shop.code)
    if (aside !== null) expect(exportOf(aside, undefined, keyOf(folder)) === newer).toBe(true)
    await shop.on(
      computer,
      async (client) => {
        expect(await isHeld(client)).toBe(true)
        const { id } = (await client.rest<{ id: string }>('POST', '/invoices', DRAFT)).body.data
        const { issues } = (
          await client.rest<{ issues: { code: string }[] }>('POST', `/invoices/${id}/validate`)
        ).body.data
        expect(issues.map(({ code }) => code)).toContain('restored_copy')
        expect(shop.state.records()).toHaveLength(4)
        const { items } = await client.window('audit.list', {})
        expect(items.map(({ action }) => action)).toEqual(
          expect.arrayContaining(['registry.held', 'backups.restored', 'recovery.used']),
        )
        const before = (await client.window('registry.status', {})).installation
        const begun = await client.window('registry.newInstallation', { reason: 'restored_copy' })
        expect(begun.installation).not.toBe(before)
        expect(begun.findings.map(({ number }) => number.split('-').at(-1)).toSorted()).toEqual([
          '0003',
          '0004',
        ])
        expect(begun.series.map(({ nextNumber }) => nextNumber)).toEqual([5])
        expect([await shop.sell(client), await shop.sell(client)]).toEqual(['0005', '0006'])
        expect(await client.window('registry.verify', {})).toMatchObject({ ok: true, records: 4 })
      },
      folder,
    )
    // Once decided, it is not asked again on this computer.
    expect(await shop.held(computer, folder)).toBe(false)
    expect(await broken(folder, new Map(), { goOn: false, mode: 'live' })).toEqual([])
    expect(shop.state.records()).toHaveLength(6)
  },
)

const DRAFT = {
  clientName: 'Cliente 1',
  clientNif: '12345678Z',
  lines: [{ description: 'Trabajo', quantity: 1, unitPrice: 10 }],
}

longTest(
  'a complete copy, restored on its own computer, continues as before',
  { timeout: 60_000 },
  async () => {
    const shop = await openShop()
    const file = await shop.on(HERE, async (client, running) => {
      await shop.sell(client)
      return portable(running)
    })
    await restoreWith(shop.folder, file, shop.code)
    await shop.on(HERE, async (client) => {
      expect(await isHeld(client)).toBe(false)
      expect(await shop.sell(client)).toBe('0002')
    })
    // The same copy without its mark: nothing proves that no later record exists.
    const elsewhere = cleanFolder()
    await restoreWith(elsewhere, file, shop.code)
    expect(await shop.held(HERE, elsewhere)).toBe(true)
  },
)

test(
  'a folder copied to another computer is held there, and not where it issued last, whose identity is never in clear text',
  { timeout: 60_000 },
  async () => {
    const shop = await openShop()
    await shop.on(HERE, (client) => shop.sell(client))
    expect(readFileSync(join(shop.folder, 'high-water.json'), 'utf8')).not.toContain(HERE)
    expect(exportOf(shop.folder)).not.toContain(HERE)
    const clone = cleanFolder()
    cpSync(shop.folder, clone, { recursive: true })
    expect(await shop.held(HERE)).toBe(false)
    // An unknown computer is no evidence.
    expect(await shop.held(null, clone)).toBe(false)
    expect(await shop.held(THERE, clone)).toBe(true)
    // Held books stay held, also back at their origin, until a person decides.
    expect(await shop.held(HERE, clone)).toBe(true)
    await shop.on(
      THERE,
      async (client) => {
        await client.window('registry.newInstallation', { reason: 'moved' })
        expect(await shop.sell(client)).toBe('0002')
      },
      clone,
    )
    expect(await shop.held(THERE, clone)).toBe(false)
    expect(await shop.held(HERE, clone)).toBe(true)
  },
)
