/** T3: create and issue over HTTP against a typical implementation with Express, TypeORM and zod (`peers/typeorm/`). */
import { hash, randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Group } from '../bench.ts'
import { sizeName } from '../bench.ts'
import { proveBooks } from '../books.ts'
import type { BookFolder, Workplace } from '../books.ts'
import { Child } from '../child.ts'
import { openDatabase } from '../limits/database.ts'
import { judge, race } from '../method.ts'
import type { Bar } from '../method.ts'
import { createIssue, DRAWS_NOTE, material, Server } from './http.ts'
import type { Clients } from './http.ts'

const NAME = 'peer.typeorm'
const PEER: Bar = { better: 'more', floor: 1.3, goal: 1.8 }
const FOLDER = join(import.meta.dirname, '..', 'peers', 'typeorm')

/** Returns the folder in which the peer creates its own file in the product's format; it is empty. */
function emptyPlace(workplace: Workplace, apiKey: string): BookFolder {
  const folder = workplace.empty(NAME)
  const keyFile = join(folder, 'bench.key')
  writeFileSync(keyFile, randomBytes(32).toString('hex'))
  return { folder, keyFile, invoices: 0, apiKey }
}

interface PeerRecord {
  sequence: number
  number: string
  state: string
  text: string
  hash: string
}

/** Throws unless the peer has issued that many invoices, numbered without gaps, with both its chains intact. */
function provePeer(place: BookFolder, invoices: number, say: (text: string) => void): void {
  const handle = openDatabase(place)
  try {
    const fail = (what: string): never => {
      throw new Error(`The peer did not do the work: ${what}.`)
    }
    const count = (sql: string): unknown => handle.prepare(sql).pluck().get()
    const records = handle
      .prepare(
        `select r.sequence, i.number, i.state, r.text, r.hash from registry_records r
         join invoices i on i.id = r.invoiceId and i.sequence = r.sequence order by r.sequence`,
      )
      .all() as PeerRecord[]
    const made = [
      count('select count(*) from invoices'),
      count('select count(*) from registry_records'),
      count("select count(*) from outbox_events where type = 'invoice.issued'"),
      count('select count(*) from confirmations where usedAt is not null'),
      count('select count(*) / 3 from invoice_lines'),
      count('select count(*) from ledger_entries'),
      count('select sum(documents) from customer_figures where length(period) = 4'),
      records.length,
    ]
    if (made.some((number) => number !== invoices)) fail(`${made.join(', ')} of ${invoices}`)
    const sums = [
      count('select sum(baseCents) from invoices'),
      count('select sum(baseCents) from month_figures'),
      count("select -sum(amountCents) from ledger_lines where account = '705'"),
    ]
    if (new Set(sums).size !== 1 || count('select sum(amountCents) from ledger_lines') !== 0)
      fail(`its figures differ: ${sums.join(', ')}`)
    let previous = ''
    for (const [index, record] of records.entries()) {
      const isWhole =
        record.sequence === index + 1 &&
        record.state === 'issued' &&
        record.number.endsWith(`-${String(index + 1).padStart(4, '0')}`) &&
        record.text.includes(`&NumSerieFactura=${record.number}&`) &&
        record.text.includes(`&Huella=${previous}&`) &&
        record.hash === hash('sha256', record.text).toUpperCase()
      if (!isWhole) fail(`its record ${index + 1} is wrong`)
      previous = record.hash
    }
    const entries = handle.prepare('select content, hash from audit_entries order by sequence').all() as {
      content: string
      hash: string
    }[]
    if (entries.length !== 3 * invoices) fail(`${entries.length} audit entries`)
    let last = ''
    for (const entry of entries) {
      if (entry.hash !== hash('sha256', last + entry.content)) fail('its audit is wrong')
      last = entry.hash
    }
    say(`chain ok ${records.length}`)
  } finally {
    handle.close()
  }
}

/** Returns the comparison with the peer of a folder, or a hint how to install it. */
export function peerGroupOf(folder: string): Group {
  return {
    names: [NAME],
    async run({ workplace, size, rounds, say, report }) {
      if (!existsSync(join(folder, 'node_modules', 'typeorm', 'package.json')))
        return say(`${NAME}: not measured, get the peer with npm ci --prefix bench/peers/typeorm.`)
      const master = await workplace.master(size, 'sent')
      const { apiKey } = master
      const books = workplace.copy(master)
      const peerPlace = emptyPlace(workplace, apiKey)
      const measured = createIssue(material(books, 500).drafts)
      const product = await Server.start('product', books)
      const peer = await Server.start('typeorm', peerPlace)
      const clients: Clients = new Child('client.ts')
      try {
        const result = await race(
          product.side(clients, apiKey, measured),
          peer.side(clients, apiKey, measured),
          rounds,
        )
        const bar = { target: 'T3', name: NAME, size: sizeName(size), unit: 'req/s', bar: PEER } as const
        report(judge(result, { ...bar, note: DRAWS_NOTE }))
      } finally {
        await Promise.all([clients.close(), product.close(), peer.close()])
      }
      // The first round is dropped, but executed.
      provePeer(peerPlace, (rounds + 1) * measured.job.operations, say)
      await proveBooks(books, say)
    },
  }
}

export const peerGroup = peerGroupOf(FOLDER)
