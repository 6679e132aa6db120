/** Books with documents of suppliers in every state, and a folder and a mailbox that they come from. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callAsWindow } from '../support/browser/browser.ts'
import type { ServedApp } from '../support/browser/browser.ts'
import { INVOICE_LINES } from '../support/files/page-pictures.ts'
import { discPng } from '../support/files/pictures.ts'
import {
  electronicInvoice,
  pictureInvoice,
  plainLines,
  textInvoice,
} from '../support/files/supplier-papers.ts'
import type { SupplierPaper } from '../support/files/supplier-papers.ts'
import { personalNif } from '../support/nif.ts'
import { twoPages } from '../support/examples/incoming.ts'

const QUOTE = [
  'Muebles Ribera, S.L.',
  'NIF B58818501',
  'PRESUPUESTO 2026/14',
  'Fecha: 12/06/2026',
  'Total 968,00 EUR',
]

/** Hands papers in, waits until they have been read, and returns their ids by what each is to show. */
export async function handIn(app: ServedApp, book: string): Promise<Record<string, string>> {
  const call = <Answer>(name: string, input: object): Promise<Answer> =>
    callAsWindow(app, name, input, book) as Promise<Answer>
  const first = electronicInvoice(11)
  const papers: Record<string, SupplierPaper> = {
    ready: electronicInvoice(12),
    doubtful: await textInvoice('luna-77.pdf', plainLines('FL-77', { name: 'Suministros Alba, S.L.' })),
    first,
    duplicate: {
      name: 'otra-copia.xml',
      content: Buffer.from(`${Buffer.from(first.content, 'base64').toString()}\n`).toString('base64'),
    },
    quote: await textInvoice('presupuesto.pdf', QUOTE),
    both: twoPages(51) as SupplierPaper,
    failed: { name: 'vacio.png', content: discPng(60).toString('base64') },
    photo: await pictureInvoice('foto-del-mostrador.png', INVOICE_LINES),
    rejected: await textInvoice('publicidad.pdf', plainLines('P-1', { nif: personalNif(42_000_009) })),
    entered: electronicInvoice(13),
  }
  const ids: Record<string, string> = {}
  for (const [what, paper] of Object.entries(papers))
    ids[what] = (await call<{ id: string }>('incoming.add', paper)).id
  const waiting = async (): Promise<number> => {
    const { counts } = await call<{ counts: Record<string, number> }>('incoming.list', { limit: 1 })
    return (counts['queued'] ?? 0) + (counts['reading'] ?? 0)
  }
  while ((await waiting()) > 0) await pause(200)
  await call('incoming.reject', { id: ids['rejected'] })
  await call('incoming.enter', { id: ids['entered'] })
  const supplier = { name: 'Lucía 13 Peña Oria', nif: personalNif(31_000_013) }
  ids['supplier'] = (await call<{ id: string }>('contacts.create', supplier)).id
  await call('incoming.addSource', {
    name: 'Escáner de la oficina',
    folder: { path: mkdtempSync(join(app.folder, 'scanner-')) },
  })
  // There is no such server: what a mailbox says that cannot be reached.
  await call('incoming.addSource', {
    name: 'Facturas de Gmail',
    mailbox: {
      host: 'imap.tallernorte.example',
      port: 993,
      user: 'facturas@tallernorte.example',
      signIn: 'password',
      password: 'abcd',
    },
  })
  return ids
}
