/**
 * Writes a reply page: one HTML file that shows an invoice and makes the customer's answer. Its policy allows nothing but
 * the script and style within it, by their digests: nothing is loaded, and nothing can be sent. Pure.
 */
import { createHash } from 'node:crypto'
import { LANGUAGE_NAMES, LOCALES } from '../../domain/languages.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { OfferedPage, PageFacts } from '../../sales/replies/index.ts'
import { LONGEST_NAME, LONGEST_COMMENT, REPLY_KINDS, REPLY_REASONS } from '../../domain/replies/limits.ts'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'
import { PAGE_MESSAGES } from './messages.ts'
import type { PageMessages } from './messages.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)

const sourceHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`

/** Nothing is loaded, no form is sent, and no other script or style runs. */
const POLICY = [
  "default-src 'none'",
  `script-src ${sourceHash(SCRIPT)}`,
  `style-src ${sourceHash(STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Facts of the invoice as the page shows them in one language. */
type Shown = Record<
  | 'seller'
  | 'sellerName'
  | 'buyer'
  | 'number'
  | 'issued'
  | 'due'
  | 'instalments'
  | 'total'
  | 'payable'
  | 'iban',
  string
>

function shownFacts(facts: PageFacts, language: DocumentLanguage): Shown {
  const amount = (value: number, currency: string): string =>
    new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency, useGrouping: 'always' }).format(
      value,
    )
  const day = (date: string): string =>
    new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
      Date.parse(`${date}T12:00:00Z`),
    )
  const party = ({ name, nif }: { name: string; nif: string | null }): string =>
    nif === null ? name : `${name} (${nif})`
  return {
    seller: party(facts.seller),
    sellerName: facts.seller.name,
    buyer: party(facts.buyer),
    number: facts.number,
    issued: day(facts.issueDate),
    due: facts.dueDate === null ? '' : day(facts.dueDate),
    instalments: facts.instalments
      .map(({ dueDate, amount: part }) => `${day(dueDate)}: ${amount(part, 'EUR')}`)
      .join('; '),
    total: amount(facts.total, facts.currency),
    payable: facts.payable === null ? '' : amount(facts.payable, 'EUR'),
    iban: facts.iban?.replace(/(.{4})(?=.)/g, '$1 ') ?? '',
  }
}

const filled = (template: string, shown: Shown): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => shown[name as keyof Shown] ?? whole)

/** Data in the page: no sign of it can end its element. */
const dataText = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')

const ROWS = [
  'seller',
  'buyer',
  'number',
  'issued',
  'due',
  'instalments',
  'total',
  'payable',
  'iban',
] as const

/** Languages of a page: its own, Spanish and English. */
export function languagesOf(own: DocumentLanguage): DocumentLanguage[] {
  return [...new Set<DocumentLanguage>([own, 'es', 'en'])]
}

const ANSWER_NAMES: Readonly<Record<DocumentLanguage, string>> = {
  es: 'respuesta',
  ca: 'resposta',
  eu: 'erantzuna',
  gl: 'resposta',
  en: 'answer',
  fr: 'reponse',
  de: 'antwort',
  pt: 'resposta',
}

/** Returns a file name in printable ASCII, such as `F2026-0001-respuesta.html`. */
export function pageFileName(page: { facts: Pick<PageFacts, 'number'>; language: DocumentLanguage }): string {
  return `${answerName(page.facts, page.language)}.html`
}

const answerName = ({ number }: Pick<PageFacts, 'number'>, language: DocumentLanguage): string =>
  `${number.replace(/[^A-Za-z0-9._-]/g, '-')}-${ANSWER_NAMES[language]}`

/** Returns the page as text, without a signature. The same page is always the same text. */
export function replyPageHtml({ id, language, facts, key }: OfferedPage): string {
  const languages = languagesOf(language)
  const shown = Object.fromEntries(languages.map((each) => [each, shownFacts(facts, each)])) as Record<
    string,
    Shown
  >
  const texts = PAGE_MESSAGES[language]
  const own = shownFacts(facts, language)
  const t = (name: keyof PageMessages, tag = 'span', attributes = ''): string =>
    `<${tag}${attributes} data-t="${name}">${escaped(filled(texts[name], own))}</${tag}>`
  const data = {
    page: id,
    key: Buffer.from(key).toString('base64url'),
    language,
    replyTo: facts.replyTo,
    fileName: `${answerName(facts, language)}.txt`,
    mostName: LONGEST_NAME,
    mostWords: LONGEST_COMMENT,
    shown,
    texts: Object.fromEntries(languages.map((each) => [each, PAGE_MESSAGES[each]])),
  }
  const row = (name: (typeof ROWS)[number]): string =>
    own[name] === ''
      ? ''
      : `${t(name, 'dt')}<dd data-f="${name}"${name === 'total' ? ' class="total"' : ''}>${escaped(own[name])}</dd>`
  const toggles = languages
    .map(
      (each) =>
        `<button type="button" data-language="${each}" lang="${each}" aria-pressed="${each === language}">${LANGUAGE_NAMES[each]}</button>`,
    )
    .join('')
  const kinds = REPLY_KINDS.map(
    (kind) => `<label class="choice"><input type="radio" name="kind" value="${kind}">${t(kind)}</label>`,
  ).join('')
  const reasons = REPLY_REASONS.map((reason) => t(`reason_${reason}`, 'option', ` value="${reason}"`)).join(
    '',
  )
  const mail =
    facts.replyTo === null
      ? t('readyFile', 'p')
      : `${t('readyMail', 'p')}<div class="row"><a id="mail" class="button main" href="#" data-t="mail">${escaped(texts.mail)}</a></div>`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(POLICY)}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${escaped(filled(texts.title, own))}</title>
<style>${STYLE}</style>
</head>
<body>
<header><div class="row" role="group" aria-label="${escaped(texts.languages)}">${toggles}</div></header>
<main>
${t('title', 'h1')}
${t('intro', 'p', ' class="soft"')}
<section class="card"><dl>${ROWS.map(row).join('')}</dl></section>
<noscript><p class="fault">${escaped(texts.noScript)}${facts.replyTo === null ? '' : ` ${escaped(facts.replyTo)}`}</p></noscript>
<form id="answer" class="card" hidden novalidate>
<fieldset>${t('question', 'legend')}${kinds}</fieldset>
<label class="field" id="reason-field" hidden>${t('reason')}<select id="reason">${t('noReason', 'option', ' value=""')}${reasons}</select></label>
<label class="field" id="day-field" hidden><span id="day-label">${escaped(texts.day)}</span><input type="date" id="day"></label>
<label class="field">${t('name')}<input type="text" id="name" maxlength="${LONGEST_NAME}" autocomplete="name"></label>
<label class="field">${t('words')}<textarea id="words" maxlength="${LONGEST_COMMENT}"></textarea></label>
<p id="fault" class="fault" role="alert" hidden></p>
<button type="submit" class="main" data-t="prepare">${escaped(texts.prepare)}</button>
</form>
<section id="result" class="card" aria-labelledby="result-title" hidden>
<h2 id="result-title" tabindex="-1" data-t="ready">${escaped(texts.ready)}</h2>
${mail}
<div class="row"><button type="button" id="save" data-t="save">${escaped(texts.save)}</button><button type="button" id="copy" data-t="copy">${escaped(texts.copy)}</button></div>
<p id="copied" role="status"></p>
<label class="field">${t('code')}<textarea id="code" readonly></textarea></label>
</section>
${t('legal', 'p', ' class="soft"')}
</main>
<script type="application/json" id="data">${dataText(data)}</script>
<script>${SCRIPT}</script>
</body>
</html>
`
}
