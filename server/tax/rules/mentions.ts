/**
 * Legal mentions that an invoice must carry because of the tax treatment of its operations: RD 1619/2012 art. 6.1.j
 * (exempt), l (made by the customer), m (reverse charge), n (travel agencies), ñ (margin schemes), and those of cash
 * accounting (art. 6.1.p).
 */
import type { BusinessDate } from '../../domain/dates.ts'
import { programLanguage } from '../../domain/languages.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import { isInUnion } from '../../domain/tax/territories.ts'
import { VAT_SYSTEM } from '../systems/index.ts'
import type { MentionKind, MentionText, TaxSystem } from '../systems/index.ts'

export interface MentionLine {
  taxTreatment: TaxTreatment
  regimeKey: string
  /** Code of the catalogue; without one, the text of the treatment is used. */
  cause?: string | null
}

interface MentionOptions {
  language: DocumentLanguage
  /** ISO country of the customer: services to the Union carry "Reverse charge". */
  customerCountry: string
  /** Made out by the customer in the seller's name (art. 5). */
  selfBilled?: boolean
  /** Tax of the document. Default: VAT. */
  system?: TaxSystem
  /** Day of the operation, which decides the law that is cited. Default: the newest one. */
  date?: BusinessDate
}

/** Mentions of a regime, whatever the cause, on taxed operations. */
const REGIMES: Readonly<Record<string, string>> = {
  '03': 'margin_used',
  '05': 'travel',
  '07': 'cash_accounting',
  '17': 'oss',
  '19': 'farmer',
}

/**
 * Mentions of the margin and cash schemes: in the languages of other countries word for word from the Directive's own
 * versions (2006/112/EC art. 226 points 7a, 13 and 14), in those of Spain by the names of the Spanish law.
 */
const SCHEMES: Record<Exclude<DocumentLanguage, 'es' | 'en'>, Record<string, string>> = {
  ca: {
    margin_used: 'Règim especial dels béns usats',
    margin_art: "Règim especial dels objectes d'art",
    margin_antiques: 'Règim especial de les antiguitats i objectes de col·lecció',
    travel: 'Règim especial de les agències de viatges',
    cash_accounting: 'Règim especial del criteri de caixa',
  },
  eu: {
    margin_used: 'Ondasun erabilien araubide berezia',
    margin_art: 'Arte objektuen araubide berezia',
    margin_antiques: 'Antigoaleko gauzen eta bildumako objektuen araubide berezia',
    travel: 'Bidaia agentzien araubide berezia',
    cash_accounting: 'Kutxa irizpidearen araubide berezia',
  },
  gl: {
    margin_used: 'Réxime especial dos bens usados',
    margin_art: 'Réxime especial dos obxectos de arte',
    margin_antiques: 'Réxime especial das antigüidades e obxectos de colección',
    travel: 'Réxime especial das axencias de viaxes',
    cash_accounting: 'Réxime especial do criterio de caixa',
  },
  fr: {
    margin_used: "Régime particulier - Biens d'occasion",
    margin_art: "Régime particulier - Objets d'art",
    margin_antiques: "Régime particulier - Objets de collection et d'antiquité",
    travel: 'Régime particulier - Agences de voyage',
    cash_accounting: 'Comptabilité de caisse',
  },
  de: {
    margin_used: 'Gebrauchtgegenstände/Sonderregelung',
    margin_art: 'Kunstgegenstände/Sonderregelung',
    margin_antiques: 'Sammlungsstücke und Antiquitäten/Sonderregelung',
    travel: 'Sonderregelung für Reisebüros',
    cash_accounting: 'Besteuerung nach vereinnahmten Entgelten',
  },
  pt: {
    margin_used: 'Regime da margem de lucro - Bens em segunda mão',
    margin_art: 'Regime da margem de lucro - Objetos de arte',
    margin_antiques: 'Regime da margem de lucro - Objetos de coleção e antiguidades',
    travel: 'Regime da margem de lucro - Agências de viagens',
    cash_accounting: 'Contabilidade de caixa',
  },
}

/**
 * RD 1619/2012 art. 6.1.l; Directive 2006/112/EC art. 226 point 10a, word for word in the languages of other
 * countries.
 */
const SELF_BILLED: Readonly<Record<DocumentLanguage, string>> = {
  es: 'Facturación por el destinatario',
  ca: 'Facturació pel destinatari',
  eu: 'Hartzaileak egindako faktura',
  gl: 'Facturación polo destinatario',
  en: 'Self-billing',
  fr: 'Autofacturation',
  de: 'Gutschrift',
  pt: 'Autofaturação',
}

/**
 * Who issued the invoice as a third party, in the words of RD 1619/2012 art. 5. No article asks for it on the invoice: it is
 * in the document's language alone.
 */
const THIRD_PARTY: Readonly<Record<DocumentLanguage, string>> = {
  es: 'Expedida por {party} en nombre y por cuenta del emisor',
  ca: "Expedida per {party} en nom i per compte de l'emissor",
  eu: 'Jaulkitzailearen izenean eta kontura egina: {party}',
  gl: 'Expedida por {party} en nome e por conta do emisor',
  en: 'Issued by {party} in the name and on behalf of the supplier',
  fr: 'Facture établie par {party} au nom et pour le compte du fournisseur',
  de: 'Ausgestellt von {party} im Namen und für Rechnung des Leistenden',
  pt: 'Emitida por {party} em nome e por conta do fornecedor',
}

/** Returns the words that name the third party that issued an invoice. */
export function thirdPartyMention(
  party: { name: string; nif: string | null },
  language: DocumentLanguage,
): string {
  const shown = party.nif === null ? party.name : `${party.name} (${party.nif})`
  // A function: a name may hold a dollar sign.
  return THIRD_PARTY[language].replace('{party}', () => shown)
}

function kindOf(taxTreatment: TaxTreatment, reversed: boolean): MentionKind {
  if (taxTreatment === 'S2') return 'reverse'
  if (taxTreatment === 'N1') return 'not_subject'
  if (taxTreatment === 'N2') return reversed ? 'place_reverse' : 'place'
  if (taxTreatment === 'E2') return 'export'
  if (taxTreatment === 'E5') return 'intra'
  return 'exempt'
}

/** Returns the text in Spanish, as the law has it, followed by the customer's language. */
function bilingual(es: string, own: string): string {
  return es === own || es.endsWith(own) ? es : `${es} / ${own}`
}

function fill(text: string, article: string): string {
  return text.replace('{article}', article)
}

function mentionOfCause(code: string, options: MentionOptions, reversedElsewhere: boolean): string | null {
  const { language, system = VAT_SYSTEM } = options
  const found = system.findCause(code)
  if (!found || found.silent) return null
  const { taxTreatment, article, mention } = found
  const plain = wordsOf(taxTreatment, reversedElsewhere, options)
  const inBrackets = system.law === null ? `(${article})` : `(${article} ${system.law})`
  const es = mention
    ? fill(mention.es, article)
    : taxTreatment === 'S2'
      ? `Inversión del sujeto pasivo ${inBrackets}`
      : taxTreatment.startsWith('N') || taxTreatment === 'E2'
        ? (plain?.es ?? `Operación ${inBrackets}`)
        : `Operación exenta ${inBrackets}`
  if (language === 'es') return es
  if (language === 'en') return bilingual(es, mention ? fill(mention.en, article) : (plain?.en ?? es))
  const scheme = SCHEMES[language][code]
  if (scheme !== undefined) return bilingual(es, scheme)
  // Text of this case in a language without a translation: English for those who apply the Directive abroad, Spanish
  // for those who apply it here.
  if (
    taxTreatment === 'S1' ||
    (found.regimeKey === '17' && taxTreatment === 'N2') ||
    found.regimeKey === '10' ||
    code === 'disbursement'
  )
    return mention && programLanguage(language) === 'en' ? bilingual(es, fill(mention.en, article)) : es
  return bilingual(es, system.translated[language][kindOf(taxTreatment, reversedElsewhere)])
}

/** Returns the words of a treatment; null for what is taxed as usual. */
function wordsOf(
  taxTreatment: TaxTreatment,
  reversed: boolean,
  { system = VAT_SYSTEM, date }: MentionOptions,
): MentionText | null {
  const words = system.wordsAt(date)
  if (taxTreatment === 'N2') return reversed ? words.placeReversed : words.place
  return words.plain[taxTreatment] ?? null
}

function plainMention(line: MentionLine, options: MentionOptions): string | null {
  const { language, customerCountry, system = VAT_SYSTEM } = options
  const reversed = line.taxTreatment === 'N2' && customerCountry !== 'ES' && isInUnion(customerCountry)
  const words = wordsOf(line.taxTreatment, reversed, options)
  if (!words) return null
  if (language === 'es') return words.es
  if (language === 'en') return bilingual(words.es, words.en)
  return bilingual(words.es, system.translated[language][kindOf(line.taxTreatment, reversed)])
}

function mentionsOfLine(line: MentionLine, options: MentionOptions): string[] {
  const { system = VAT_SYSTEM } = options
  const own = line.cause ? system.findCause(line.cause) : undefined
  const scheme = REGIMES[line.regimeKey]
  const mentions: (string | null)[] = []
  // A cause of another treatment is left from an earlier choice; the treatment, which is registered, decides.
  if (own && own.taxTreatment === line.taxTreatment)
    mentions.push(mentionOfCause(own.code, options, own.code === 'services_eu' || own.code === 'triangular'))
  else if (line.taxTreatment === 'N2' && scheme === 'oss')
    mentions.push(mentionOfCause('oss', options, false))
  else if (line.taxTreatment !== 'S1') mentions.push(plainMention(line, options))
  if (scheme !== undefined && line.taxTreatment === 'S1' && own?.regimeKey !== line.regimeKey)
    mentions.push(mentionOfCause(scheme, options, false))
  return mentions.filter((mention) => mention !== null)
}

/**
 * Returns the mentions of an invoice in line order, each once. In a language other than Spanish each mention is
 * bilingual. Accepts lines or groups of the breakdown.
 */
export function legalMentions(lines: readonly MentionLine[], options: MentionOptions): string[] {
  const mentions = lines.flatMap((line) => mentionsOfLine(line, options))
  if (options.selfBilled) mentions.push(bilingual(SELF_BILLED.es, SELF_BILLED[options.language]))
  return [...new Set(mentions)]
}
