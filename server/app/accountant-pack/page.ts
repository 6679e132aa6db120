/**
 * Index page of the accountant's pack: plain HTML in Spanish that opens without Sello, has no script, and prints
 * well. Pure.
 */
import type { FiscalModel } from '../../accounting/returns/contract.ts'
import type { PackedFile } from './zip.ts'

export interface ListedDocument {
  number: string
  date: string
  name: string
  nif: string
  base: string
  total: string
  /** Path inside the pack; null without a file. */
  path: string | null
}

interface PackPage {
  company: { name: string; nif: string }
  title: string
  period: string
  madeAt: string
  isTest: boolean
  models: readonly FiscalModel[]
  issued: readonly ListedDocument[]
  received: readonly ListedDocument[]
  faults: readonly string[]
  files: readonly PackedFile[]
}

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Returns a path inside the pack as a link. */
const href = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** Returns `1.234,50 €`. */
export function eurosText(amount: number): string {
  const [whole = '0', cents = '00'] = Math.abs(amount).toFixed(2).split('.')
  return `${amount < 0 ? '−' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${cents} €`
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;color:#1c1c1c;max-width:70rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{margin-top:2.2rem;border-bottom:2px solid #ddd;padding-bottom:.2rem}
table{border-collapse:collapse;width:100%;margin:.6rem 0}td,th{padding:.25rem .5rem;border-bottom:1px solid #e4e4e4;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.note{background:#fff6df;border:1px solid #e8cf8a;padding:.6rem .8rem}
code{font-size:.8rem;word-break:break-all}details{margin:.5rem 0}@media print{a{color:inherit;text-decoration:none}h2{break-after:avoid}tr{break-inside:avoid}}`

function documentTable(documents: readonly ListedDocument[], party: string): string {
  if (documents.length === 0) return '<p>Ninguna en este periodo.</p>'
  const rows = documents.map((document) => {
    const number = escapeHtml(document.number)
    const shown =
      document.path === null
        ? `${number} <small>(sin archivo)</small>`
        : `<a href="${href(document.path)}">${number}</a>`
    return `<tr><td>${shown}</td><td>${escapeHtml(document.date)}</td><td>${escapeHtml(document.name)}</td><td>${escapeHtml(document.nif)}</td><td class="n">${document.base}</td><td class="n">${document.total}</td></tr>`
  })
  return `<table><thead><tr><th>Número</th><th>Fecha</th><th>${party}</th><th>NIF</th><th class="n">Base</th><th class="n">Total</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** Result box of each return, shown even when it is zero. */
const RESULTS: Partial<Record<string, string>> = { '303': '71', '130': '19', '111': '30', '115': '05' }

function modelSection(model: FiscalModel): string {
  const boxes = model.boxes.filter((box) => box.amount !== 0 || box.box === RESULTS[model.model])
  const rows = boxes.map((box) => {
    const amount =
      box.kind === 'count'
        ? String(box.amount)
        : box.kind === 'percent'
          ? `${box.amount} %`
          : eurosText(box.amount)
    return `<tr><td>${escapeHtml(box.box)}</td><td>${escapeHtml(box.label.es)}</td><td class="n">${amount}</td></tr>`
  })
  const filing = model.filing
    ? `<p>Presentado el ${escapeHtml(model.filing.filedOn)}${model.filing.reference ? `, justificante ${escapeHtml(model.filing.reference)}` : ''}.</p>`
    : ''
  const result = model.result === null ? '' : ` — resultado ${eurosText(model.result)}`
  return `<details open><summary><strong>Modelo ${model.model}</strong>, ${escapeHtml(model.name.es)} (${model.period} ${model.year})${result}</summary>${filing}<table><thead><tr><th>Casilla</th><th>Concepto</th><th class="n">Importe</th></tr></thead><tbody>${rows.join('')}</tbody></table></details>`
}

/** Returns the whole page. */
export function packPage(page: PackPage): string {
  const others = page.files.filter(({ path }) => !path.startsWith('facturas-'))
  const faults =
    page.faults.length === 0
      ? '<p>Los libros cumplen las reglas publicadas.</p>'
      : `<ul>${page.faults.map((fault) => `<li>${escapeHtml(fault)}</li>`).join('')}</ul>`
  return `<!doctype html>
<html lang="es"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(page.title)}</title><style>${STYLE}</style></head>
<body><h1>${escapeHtml(page.title)}</h1>
<p>${escapeHtml(page.company.name)} · NIF ${escapeHtml(page.company.nif)} · ${escapeHtml(page.period)} · preparado el ${escapeHtml(page.madeAt)}</p>
${page.isTest ? '<p class="note"><strong>Datos de prueba.</strong> Nada de esto son operaciones reales.</p>' : ''}
<p class="note">Cifras para preparar las declaraciones: son una estimación hecha con lo anotado hasta hoy, no una presentación.</p>
<h2>Modelos</h2>${page.models.map(modelSection).join('') || '<p>Ninguno aplica en este periodo.</p>'}
<h2>Revisión de los libros</h2>${faults}
<h2>Facturas emitidas (${page.issued.length})</h2>${documentTable(page.issued, 'Cliente')}
<h2>Facturas recibidas (${page.received.length})</h2>${documentTable(page.received, 'Proveedor')}
<h2>Archivos</h2><table><thead><tr><th>Archivo</th><th class="n">Bytes</th><th>SHA-256</th></tr></thead><tbody>
${[...others, ...page.files.filter(({ path }) => path.startsWith('facturas-'))].map((file) => `<tr><td><a href="${href(file.path)}">${escapeHtml(file.path)}</a></td><td class="n">${file.bytes}</td><td><code>${file.sha256}</code></td></tr>`).join('\n')}
</tbody></table></body></html>
`
}
