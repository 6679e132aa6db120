/**
 * Legal mentions that an invoice must carry because of the tax treatment of its operations: RD 1619/2012 art. 6.1.j
 * (exempt), l (made by the customer), m (reverse charge), n (travel agencies), ñ (margin schemes), and those of cash
 * accounting (art. 6.1.p).
 */
import { programLanguage } from '../../domain/languages.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import { isInUnion } from '../../domain/tax/territories.ts'
import { findCause } from './causes/index.ts'

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
}

type Kind = 'exempt' | 'export' | 'intra' | 'not_subject' | 'place' | 'reverse' | 'place_reverse'
interface MentionText {
  es: string
  en: string
  article: string | null
}

const PLAIN: Partial<Record<TaxTreatment, MentionText>> = {
  S2: { es: 'Inversión del sujeto pasivo (art. 84 Ley 37/1992)', en: 'Reverse charge', article: 'art. 84' },
  N1: { es: 'Operación no sujeta (art. 7 Ley 37/1992)', en: 'Outside the scope of VAT', article: 'art. 7' },
  E1: {
    es: 'Operación exenta (art. 20 Ley 37/1992)',
    en: 'Exempt from VAT (art. 132 or 135 Directive 2006/112/EC)',
    article: 'art. 20',
  },
  E2: {
    es: 'Exportación exenta (art. 21 Ley 37/1992)',
    en: 'Export exempt from VAT (art. 146 Directive 2006/112/EC)',
    article: 'art. 21',
  },
  E3: {
    es: 'Operación exenta (art. 22 Ley 37/1992)',
    en: 'Exempt from VAT (art. 148 Directive 2006/112/EC)',
    article: 'art. 22',
  },
  E4: {
    es: 'Operación exenta (arts. 23 y 24 Ley 37/1992)',
    en: 'Exempt from VAT (arts. 156-160 Directive 2006/112/EC)',
    article: 'arts. 23, 24',
  },
  E5: {
    es: 'Entrega intracomunitaria exenta (art. 25 Ley 37/1992)',
    en: 'Intra-Community supply exempt from VAT (art. 138 Directive 2006/112/EC)',
    article: 'art. 25',
  },
  E6: { es: 'Operación exenta', en: 'Exempt from VAT', article: null },
  E7: { es: 'Operación exenta (Ley 4/2012 de Canarias)', en: 'Exempt from IGIC', article: null },
  E8: { es: 'Operación exenta (Ley 4/2012 de Canarias)', en: 'Exempt from IGIC', article: null },
}

const PLACE_REVERSED: MentionText = {
  es: 'Operación no sujeta por reglas de localización. Inversión del sujeto pasivo / Reverse charge',
  en: 'VAT due by the customer (arts. 44 and 196 Directive 2006/112/EC)',
  article: 'art. 69',
}
const PLACE: MentionText = {
  es: 'Operación no sujeta por reglas de localización (arts. 68 a 72 Ley 37/1992)',
  en: 'Not subject to Spanish VAT by the place of supply',
  article: 'arts. 68-72',
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
 * Texts in the other document languages; the rest of a mention cites Spanish law and stays in Spanish. `reverse` is
 * word for word that of Directive 2006/112/EC art. 226 point 11a.
 */
const WORDS: Record<Exclude<DocumentLanguage, 'es' | 'en'>, Record<Kind, string>> = {
  ca: {
    exempt: "Operació exempta d'IVA",
    export: "Exportació exempta d'IVA",
    intra: "Lliurament intracomunitari exempt d'IVA",
    not_subject: "Operació no subjecta a l'IVA",
    place: "Operació no subjecta a l'IVA espanyol per les regles de localització",
    reverse: 'Inversió del subjecte passiu',
    place_reverse: 'Operació no subjecta per les regles de localització. Inversió del subjecte passiu',
  },
  eu: {
    exempt: 'BEZetik salbuetsitako eragiketa',
    export: 'BEZetik salbuetsitako esportazioa',
    intra: 'BEZetik salbuetsitako Batasun barruko entrega',
    not_subject: 'BEZari lotu gabeko eragiketa',
    place: 'Lokalizazio arauengatik Espainiako BEZari lotu gabeko eragiketa',
    reverse: 'Subjektu pasiboaren inbertsioa',
    place_reverse: 'Lokalizazio arauengatik lotu gabeko eragiketa. Subjektu pasiboaren inbertsioa',
  },
  gl: {
    exempt: 'Operación exenta de IVE',
    export: 'Exportación exenta de IVE',
    intra: 'Entrega intracomunitaria exenta de IVE',
    not_subject: 'Operación non suxeita ao IVE',
    place: 'Operación non suxeita ao IVE español polas regras de localización',
    reverse: 'Investimento do suxeito pasivo',
    place_reverse: 'Operación non suxeita polas regras de localización. Investimento do suxeito pasivo',
  },
  fr: {
    exempt: 'Exonération de TVA',
    export: 'Exportation exonérée de TVA',
    intra: 'Livraison intracommunautaire exonérée de TVA',
    not_subject: 'Opération hors du champ de la TVA',
    place: 'Non soumis à la TVA espagnole (lieu de la prestation)',
    reverse: 'Autoliquidation',
    place_reverse: 'Non soumis à la TVA espagnole. Autoliquidation',
  },
  de: {
    exempt: 'Umsatzsteuerfrei',
    export: 'Steuerfreie Ausfuhrlieferung',
    intra: 'Steuerfreie innergemeinschaftliche Lieferung',
    not_subject: 'Nicht steuerbarer Umsatz',
    place: 'In Spanien nicht steuerbar (Ort der Leistung)',
    reverse: 'Steuerschuldnerschaft des Leistungsempfängers',
    place_reverse: 'In Spanien nicht steuerbar. Steuerschuldnerschaft des Leistungsempfängers',
  },
  pt: {
    exempt: 'Operação isenta de IVA',
    export: 'Exportação isenta de IVA',
    intra: 'Transmissão intracomunitária isenta de IVA',
    not_subject: 'Operação não sujeita a IVA',
    place: 'Não sujeito ao IVA espanhol (localização da operação)',
    reverse: 'Autoliquidação',
    place_reverse: 'Não sujeito ao IVA espanhol. Autoliquidação',
  },
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

function kindOf(taxTreatment: TaxTreatment, reversed: boolean): Kind {
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
  const found = findCause(code)
  if (!found || found.silent) return null
  const { taxTreatment, article, mention } = found
  const plain = PLAIN[taxTreatment]
  const inBrackets = `(${article} Ley 37/1992)`
  const es = mention
    ? fill(mention.es, article)
    : taxTreatment === 'S2'
      ? `Inversión del sujeto pasivo ${inBrackets}`
      : `Operación exenta ${inBrackets}`
  const { language } = options
  if (language === 'es') return es
  if (language === 'en') return bilingual(es, mention ? fill(mention.en, article) : (plain?.en ?? es))
  const scheme = SCHEMES[language][code]
  if (scheme !== undefined) return bilingual(es, scheme)
  // Text of this case in a language without a translation: English for those who apply the Directive abroad, Spanish
  // for those who apply it here.
  if (
    taxTreatment === 'S1' ||
    found.regimeKey === '17' ||
    found.regimeKey === '10' ||
    code === 'disbursement'
  )
    return mention && programLanguage(language) === 'en' ? bilingual(es, fill(mention.en, article)) : es
  return bilingual(es, WORDS[language][kindOf(taxTreatment, reversedElsewhere)])
}

function plainMention(line: MentionLine, options: MentionOptions): string | null {
  const { language, customerCountry } = options
  const reversed = line.taxTreatment === 'N2' && customerCountry !== 'ES' && isInUnion(customerCountry)
  const words = line.taxTreatment === 'N2' ? (reversed ? PLACE_REVERSED : PLACE) : PLAIN[line.taxTreatment]
  if (!words) return null
  if (language === 'es') return words.es
  if (language === 'en') return bilingual(words.es, words.en)
  return bilingual(words.es, WORDS[language][kindOf(line.taxTreatment, reversed)])
}

function mentionsOfLine(line: MentionLine, options: MentionOptions): string[] {
  const own = line.cause ? findCause(line.cause) : undefined
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
