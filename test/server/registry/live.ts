/** A live book that can issue, an in-memory authority for it, and copies of its store to restore. */
import { embedded } from '../../../server/db/embedded/port.ts'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setRegistryStatus } from '../../../server/sales/invoices/index.ts'
import type { Authority } from '../../../server/registry/queue/authority.ts'
import { sendDueRecords } from '../../../server/registry/queue/sender.ts'
import { createSimulator, memoryState } from '../../../server/registry/systems/verifactu/simulator/index.ts'
import type { SimulatorOptions } from '../../../server/registry/systems/verifactu/simulator/index.ts'
import { STORE_FILE } from '../../../server/db/embedded/keys/keyring.ts'
import { openBooks } from '../../support/books.ts'
import { fingerprintOf, makeCertificate } from '../../support/files/certificates.ts'
import type { DraftInput, Invoice, TestBooks } from '../../support/books.ts'
import { EXAMPLE_COMPANY } from '../../support/store.ts'
import { answering } from './authorities.ts'

export const PRODUCER = {
  name: 'Programas Ejemplo, S.L.',
  nif: 'B87654323',
  address: 'Calle Mayor, 2, 28013 Madrid, España',
  systemId: 'S1',
}

export interface LiveBooks extends TestBooks {
  /** Issues an invoice in the live book. */
  sell(changes?: Partial<DraftInput>): Promise<Invoice>
  /** Sends everything that waits in the live book. */
  deliver(authority: Authority): Promise<number>
  /** Copies the store as it is now; the returned function restores the copy. */
  copy(): () => Promise<void>
}

/** Imports a certificate: the first invoice of a live book requires one. */
async function giveCertificate({ env, books }: TestBooks): Promise<void> {
  const { certPem } = makeCertificate()
  await env.store.transaction(null, (db) =>
    db
      .insertInto('certificates')
      .values({
        company_id: books.live.companyId,
        public_id: env.newId('cert'),
        kind: 'seal',
        subject: 'CN=Talleres Ejemplo',
        holder_name: 'Talleres Ejemplo, S.L.',
        organization_nif: EXAMPLE_COMPANY.nif,
        issuer: 'Prueba',
        serial: '1',
        fingerprint: Buffer.from(fingerprintOf(certPem), 'hex'),
        key_type: 'ec',
        valid_from: 0,
        valid_to: 1,
        chain: certPem,
        sealed_key: null,
        imported_at: 0,
        removed_at: 1,
      })
      .execute(),
  )
}

export async function openLiveBooks(options: Parameters<typeof openBooks>[0] = {}): Promise<LiveBooks> {
  const books = await openBooks({
    ...options,
    environment: { producer: PRODUCER, ...options.environment },
  })
  await giveCertificate(books)
  const live: LiveBooks = Object.create(books, {})
  live.sell = (changes) => books.invoice(changes, books.live)
  live.deliver = async (authority) => {
    const issuer = { name: EXAMPLE_COMPANY.legalName, nif: EXAMPLE_COMPANY.nif }
    let settled = 0
    for (;;) {
      const turn = await sendDueRecords(books.live, { authority, issuer, onStatus: setRegistryStatus })
      settled += turn.settled
      if (turn.settled === 0) return settled
    }
  }
  live.copy = () => {
    const file = join(books.folder, STORE_FILE)
    const kept = join(books.folder, `copy-${books.env.newId('req')}`)
    embedded(books.env.store).checkpoint()
    copyFileSync(file, kept)
    return async () => {
      books.env.store.close()
      for (const beside of [`${file}-wal`, `${file}-shm`]) if (existsSync(beside)) rmSync(beside)
      copyFileSync(kept, file)
      await books.restart()
    }
  }
  return live
}

/** Returns an authority that is independent of the books: what was sent to it stays there. */
export function sharedAuthority(
  now: () => Date,
  options: Partial<SimulatorOptions> = {},
): Authority & { questions: string[] } {
  const simulator = createSimulator({
    state: memoryState(),
    now,
    newCsv: () => 'A-0000000000000A',
    waitSeconds: 0,
    ...options,
  })
  const questions: string[] = []
  return {
    questions,
    submit: async (envelope) => answering(await simulator.submit(envelope)),
    query: async (envelope) => {
      questions.push(envelope)
      return answering(await simulator.query(envelope))
    },
  }
}
