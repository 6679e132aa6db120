/** The page of the simulated platform: what it holds and what it was asked, in Spanish or English. */
import { escapeHtml } from '../../../platform/simulated-authority/start.ts'
import { ASSUMPTIONS } from '../../../documents/e-invoice/index.ts'
import type { Power } from './authority.ts'
import type { LogEntry } from './platform.ts'
import type { HeldInvoice, MemoryPlatformState } from './state.ts'

const WORDS = {
  es: {
    title: 'Plataforma simulada de factura electrónica',
    notice: 'Es una simulación: nada de lo que se le envía llega a la Agencia Tributaria.',
    invoices: 'Facturas',
    messages: 'Últimos mensajes',
    powers: 'Apoderamientos',
    assumptions: 'Lo que supone, por no estar publicado',
    source: 'Fuente',
    none: 'Todavía nada.',
    number: 'Factura',
    issuer: 'Emisor',
    recipient: 'Destinatario',
    type: 'Tipo',
    total: 'Total',
    presented: 'Presentada',
    by: 'por',
    statuses: 'Estados',
    copy: 'copia',
    withdrawn: 'dada de baja',
    at: 'Hora (UTC)',
    operation: 'Operación',
    caller: 'Certificado de',
    outcome: 'Resultado',
    other: 'English',
  },
  en: {
    title: 'Simulated e-invoice platform',
    notice: 'This is a simulation: nothing that is sent to it reaches the tax agency.',
    invoices: 'Invoices',
    messages: 'Latest messages',
    powers: 'Powers of attorney',
    assumptions: 'What it assumes, because it is unpublished',
    source: 'Source',
    none: 'Nothing yet.',
    number: 'Invoice',
    issuer: 'Issuer',
    recipient: 'Recipient',
    type: 'Type',
    total: 'Total',
    presented: 'Presented',
    by: 'by',
    statuses: 'Statuses',
    copy: 'copy',
    withdrawn: 'withdrawn',
    at: 'Time (UTC)',
    operation: 'Operation',
    caller: 'Certificate of',
    outcome: 'Outcome',
    other: 'Español',
  },
} as const
type Words = (typeof WORDS)['es' | 'en']

interface Shown {
  state: MemoryPlatformState
  log: readonly LogEntry[]
  powers: readonly Power[]
}

/** Returns the page, the XML of an invoice at `/invoice?locator=…`, or null for any other address. */
export function platformPage(url: URL, shown: Shown): { type: string; body: string } | null {
  if (url.pathname === '/invoice') {
    const held = shown.state.all().find(({ locator }) => locator === url.searchParams.get('locator'))
    return held ? { type: 'text/xml; charset=utf-8', body: held.xml } : null
  }
  if (url.pathname !== '/') return null
  const language = url.searchParams.get('lang') === 'en' ? 'en' : 'es'
  return { type: 'text/html; charset=utf-8', body: html(language, shown) }
}

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid #8884}
.wide{overflow-x:auto}.number{text-align:right;font-variant-numeric:tabular-nums}.away{opacity:.6;text-decoration:line-through}ul{margin:0;padding-left:1.1rem}`

function html(language: 'es' | 'en', { state, log, powers }: Shown): string {
  const words: Words = WORDS[language]
  const invoices = state.all().toReversed()
  const rows = invoices.map((held) => invoiceRow(held, words))
  const messages = log
    .toReversed()
    .map(({ at, operation, caller, outcome }) => cells([at, operation, caller, outcome].map(escapeHtml)))
  const held = powers.map((each) => `<li>${escapeHtml(`${each.nif} → ${each.for} (${each.as})`)}</li>`)
  const assumed = ASSUMPTIONS.map(
    ({ id, title, assumed: text, source }) =>
      `<li id="${id}"><b>${escapeHtml(title[language])}.</b> ${escapeHtml(text[language])} <small>${words.source}: ${escapeHtml(source[language])}.</small></li>`,
  )
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="10"><title>${words.title}</title><style>${STYLE}</style></head><body><p><a href="/?lang=${language === 'es' ? 'en' : 'es'}">${words.other}</a></p><h1>${words.title}</h1><p>${words.notice}</p>
<h2>${words.invoices} (${invoices.length})</h2>${table([words.number, words.issuer, words.recipient, words.type, words.total, words.presented, words.statuses], rows, words)}
<h2>${words.messages}</h2>${table([words.at, words.operation, words.caller, words.outcome], messages, words)}
${held.length > 0 ? `<h2>${words.powers}</h2><ul>${held.join('')}</ul>` : ''}
<h2>${words.assumptions}</h2><ul>${assumed.join('')}</ul></body></html>`
}

const cells = (values: readonly string[]): string =>
  `<tr>${values.map((value) => `<td>${value}</td>`).join('')}</tr>`

function table(heads: readonly string[], rows: readonly string[], words: Words): string {
  if (rows.length === 0) return `<p>${words.none}</p>`
  const head = heads.map((each) => `<th scope="col">${each}</th>`).join('')
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function invoiceRow(held: HeldInvoice, words: Words): string {
  const { invoice, recipientTaxId, typeCode, total, presentedAt, presenterNif, locator } = held
  const link = `<a href="/invoice?locator=${encodeURIComponent(locator)}">${escapeHtml(`${invoice.number} · ${invoice.issueDate}`)}</a>`
  const marks = [held.copy ? words.copy : '', held.withdrawnAt ? words.withdrawn : ''].filter(
    (mark) => mark !== '',
  )
  const statuses = held.statuses.map(
    ({ kind, date, reason, presenterNif: by }) =>
      `<li>${escapeHtml([kind, date, reason ?? ''].filter((each) => each !== '').join(' '))} <small>(${escapeHtml(by)})</small></li>`,
  )
  return cells([
    `<span${held.withdrawnAt ? ' class="away"' : ''}>${link}</span> ${marks.join(', ')}`,
    escapeHtml(invoice.issuerTaxId),
    escapeHtml(recipientTaxId),
    escapeHtml(typeCode),
    `<span class="number">${escapeHtml(total)}</span>`,
    `${escapeHtml(presentedAt)}<br><small>${words.by} ${escapeHtml(presenterNif)}</small>`,
    `<ul>${statuses.join('')}</ul>`,
  ])
}
