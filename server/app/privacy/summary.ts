/** Summary page of a person's export: their data by area, and the law that applies. No script, no external resources. */
import type { Finding } from './contract.ts'
import { MESSAGES } from './messages.ts'
import type { SummaryLanguage } from './messages.ts'

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML. */
function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? '')
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;color:#1b1b19;background:#fafaf8;max-width:52rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;margin:1.5rem 0}th,td{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid #d5d4ce}
th{font-size:.8rem;color:#585751}td.n{text-align:right;font-variant-numeric:tabular-nums}`

interface SummaryFacts {
  language: SummaryLanguage
  person: string
  company: string
  /** YYYY-MM-DD. */
  day: string
  findings: readonly Finding[]
  missing: readonly string[]
}

const dayIn = (day: string): string => day.split('-').toReversed().join('/')

function row({ area, fate, count, until, laws }: Finding, language: SummaryLanguage): string {
  const messages = MESSAGES[language]
  const why = laws.map((law) => htmlText(messages.lawNames[law])).join('<br>')
  return `<tr><td>${messages.areas[area]}</td><td class="n">${count}</td><td>${messages.fates[fate]}</td><td>${until ? dayIn(until) : '—'}</td><td>${why || '—'}</td></tr>`
}

export function summaryPage({ language, person, company, day, findings, missing }: SummaryFacts): string {
  const messages = MESSAGES[language]
  const heads = [messages.area, messages.count, messages.fate, messages.until, messages.laws]
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${htmlText(`${messages.title}: ${person}`)}</title><style>${STYLE}</style></head><body>
<h1>${messages.title}</h1>
<p>${htmlText(messages.intro(person, company, dayIn(day)))}</p>
<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>${findings.map((finding) => row(finding, language)).join('\n')}</tbody></table>
<h2>${messages.files}</h2><p>${messages.filesText}</p>
${missing.length === 0 ? '' : `<h2>${messages.missing}</h2><ul>${missing.map((name) => `<li>${htmlText(name)}</li>`).join('')}</ul>`}
<p>${messages.rights}</p>
</body></html>
`
}
