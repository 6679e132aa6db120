/**
 * Words that name amounts, numbers and dates on invoices, in Spanish, Catalan, Basque, Galician, English, French, German and
 * Portuguese. Texts are compared without accents, case and punctuation. Pure.
 */

/** What the words before or above an amount make of it. */
export type AmountLabel =
  | 'base'
  | 'tax'
  | 'surcharge'
  | 'withholding'
  | 'supplied'
  | 'exempt'
  | 'prepaid'
  | 'paid'
  | 'total'
  | 'payable'
  | 'quantity'
  | 'price'
  | 'discount'
  | 'item'

/** Lower case without accents; all other than letters, digits, `%` and `/` becomes a blank. */
export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9%/]+/g, ' ')
    .trim()
}

const OF_TOTAL = [
  'a', 'amb', 'da', 'do', 'dos', 'das', 'amount', 'bez', 'bill', 'charge', 'charged', 'compra', 'con', 'd', 'de', 'del', 'dels', 'document',
  'documento', 'e', 'el', 'en', 'eur', 'euro', 'euros', 'factura', 'fakturaren', 'faktura', 'fra', 'general', 'gbp',
  'igic', 'in', 'impost', 'impostos', 'imposts', 'impuesto', 'impuestos', 'import', 'importe', 'importea', 'inbertsioa', 'inc',
  'incl', 'included', 'including', 'inclos', 'incluida', 'incluido', 'incluidos', 'inclosos', 'inkl', 'invoice', 'is',
  'iva', 'la', 'nota', 'o', 'operacion', 'os', 'price', 'prezioa', 'rebut', 'recibo', 's', 'seu', 'su', 'tax', 'taxes',
  'the', 'ticket', 'tiket', 'tiquet', 'tique', 'u', 'usd', 'vat', 'venda', 'venta', 'with', 'xeral', 'barne', 'zergak',
  'ttc', 'tva', 'mwst', 'der', 'des', 'rechnung', 'facture', 'fatura', 'imposto', 'toutes', 'taxes', 'comprises',
  'abono', 'presupuesto', 'pressupost', 'orden', 'order', 'prima', 'credit', 'credito', 'note', 'this', 'for', 'incluso',
].join('|') // prettier-ignore

const RULES: readonly (readonly [AmountLabel, RegExp])[] = [
  // "Retención IRPF 15 % sobre", "15 % sur", "15 % von": what follows is what the rate applies to.
  ['base', /(?:\b(?:s|sobre|sb|de base|on)(?: ?\/)?|\/|% (?:sur|von|vom|of|de|do|da))$/],
  [
    'item',
    /\b(?:impuesto especial\w*|impuesto electric\w*|impuesto sobre (?:la )?electricidad|impuesto hidrocarburos|ecotasa|impost especial)\b/,
  ],
  [
    'withholding',
    /\b(?:[i1l] ?r ?p ?f|irpf|reten[cç]\w*|ret|retenue|einbehalt\w*|quellensteuer|withh?old\w*|withheld|pfez\w*|atxikip\w*)\b/,
  ],
  [
    'surcharge',
    /\b(?:recargo?s?|recarrec|recarg|rec equiv\w*|rec eq\w*|r e|req|r eq|equivalencia|gainkargu\w*|errekargu\w*|surcharge|surtaxe|sobretaxa|ausgleichszuschlag|recarga equiv\w*)\b|^re\b/,
  ],
  [
    'supplied',
    /\b(?:suplid\w*|suplit\w*|suplert\w*|aurreratutako gastuak|debours|durchlaufende posten|despesas (?:pagas )?(?:por|em) (?:conta|nome)|suplemento de terceros|no sujet\w*|no suxeit\w*|no subject\w*|disbursement\w*|city tax|tourist tax|tas[as]* turistic\w*|taxa turistic\w*|ordaindutakoak|lotu gabe\w*|not subject|nao sujeito|non soumis|nicht steuerbar)\b/,
  ],
  ['exempt', /\b(?:exent\w*|exempt\w*|salbuetsi\w*|exoner\w*|isent[oa]s?|steuerfrei\w*)\b/],
  [
    'prepaid',
    /\b(?:a cuenta|a compte|a conta|anticip\w*|bestreta|bestretes|prepaid|deposit\w*|aurrerakin\w*|entrega a cuenta|pagos? previos?|ya facturado|xa facturado|ja facturat|ja faturado|deja facture|bereits berechnet|invoiced before|already invoiced|lehendik fakturatu\w*|acomptes?|anzahlung(?:en)?|adiantamento)\b/,
  ],
  [
    'paid',
    /\b(?:pagad[oa]s?|entregad\w*|entrega|lliurat|entregado|cambio|canvi|bueltak?|itzulia|troco|tarjeta|targeta|tarxeta|txartel\w*|efectivo|efectiu|metalico|contado|visa|mastercard|bizum|cobrad\w*|cobrat|saldo(?! (?:a (?:nuestro favor|mi favor|pagar)|pendiente))|paid|payment|change|card|cash|pagat|ordainduta|devuelto|vuelto|redondeo|especes|eskudirua\w*|numerario|lastschrift)\b/,
  ],
  [
    'payable',
    /\b(?:(?:total|import\w*|cantidad|quantitat|suma|amount|balance|zenbateko\w*|guztira|saldo)? ?(?:a pagar|(?<=total )pagar|per pagar|a percibir|a percebre|a ingresar|a abonar|a cobrar|a reembolsar|a retornar|a devolver|liquido|liquid|due|payable|to pay|ordaintzeko|ordainduko|saldo a (?:nuestro|mi) favor|pendiente|pendent|pendente|(?:net )?a payer|(?:net )?a regler|(?:net )?a rembourser|zahlbetrag|zu zahlen|zu zahlender betrag|erstattungsbetrag|zu erstatten|to refund|(?:ordaindu|itzuli) beharrek\w*|a deducir de la deuda|a descontar d[aeo]l? (?:la )?(?:deuda|debeda)|a descomptar del deute|a deduire de la dette|a deduzir da divida|to be deducted from the debt|von der schuld abzuziehen|zorretik kentzekoa)(?: (?:de|d|per|pago|pagar|pagament|cobro|a|percibir|percebre|ordaintzeko|guztira))*)(?: (?:eur|euros?|usd|gbp|total|factura|en|importe|import|iva|igic|impuestos?|incl\w*|inclos\w*|con|amb))*$/,
  ],
  [
    'tax',
    /\b(?:iva|vat|igic|bez) subtotal|subtotal (?:iva|vat|igic)|\btotal (?:de )?(?:l )?(?:iva|impuestos?|imposts?|impostos?|cuotas?|quotes|igic|vat|tva|tax|taxes|bez|zergak)$|\b(?:cuotas?|quotas?|quotes?|kuota\w*|cota)\b/,
  ],
  [
    'base',
    /\b(?:bases?|imponible|imposable|oinarri\w*|zergapekoa|subtotal|sub total|azpiguztira|taxable|bruto|brut|neto|net|netas?|gordina|garbia|suma|sum|honorarios base|(?:sin|sense|sen) (?:iva|ive|igic|impuestos?|imposts?|impostos)|excl\w*|antes de impuestos|abans d impostos|before tax|iva no incl\w*|bi|b i|b imp\w*|ht|hors taxes?|sous total|somme|soma|summe|zwischensumme|netto|nettobetrag|nettosumme|batura)\b/,
  ],
  [
    'total',
    new RegExp(
      `(?<!sub |sous )\\b(?:totals?|totales|totais|guztira|gesamtbetrag|gesamtsumme|endbetrag|rechnungsbetrag|rechnungssumme)(?: (?:${OF_TOTAL}|\\d{1,2} ?%))*$`,
    ),
  ],
  [
    'total',
    /\b(?:import\w*|suma|amount|zenbateko\w*|montant|valor) (?:totala?|guztira)(?: (?:de|d|del|la|su|seu|factura|fra|eur|euros?|con|amb|iva|incl\w*|inclos|recibo|document\w*))*$/,
  ],
  ['item', /\b(?:iva incl\w*|vat incl\w*|impuestos incl\w*|unitari\w*|unit price|unidad)\b/],
  [
    'tax',
    /\b(?:iva|i v a|ive|igic|ipsi|vat|bez|tva|ust|mwst|umsatzsteuer|mehrwertsteuer|steuer|taxe|tax|impuesto\w*|impost\w*|zerga\w*)\b/,
  ],
]

/** Headings of columns that hold no sums of the invoice. */
const COLUMN_RULES: readonly (readonly [AmountLabel, RegExp])[] = [
  [
    'quantity',
    /^(?:cant\w*|cdad|uds?|unid\w*|unitats?|qty|quantity|quantitat|quantidade|kopurua|kop|menge|quantite|ud|u|horas?|hores|hours?|kg|litros?|peso|bultos|cajas|piezas|pzas|ctd|m2|ml|consumo)$/,
  ],
  [
    'price',
    /\b(?:precio|preu|prezo|prezioa|price|prix|preis|einzelpreis|preco|p unit\w*|pvp|p v p|tarifa|unit\w* price|coste unit\w*|rate|€ u)\b/,
  ],
  ['discount', /^(?:%? ?(?:dtos?|dte|desc\w*|bonif\w*|discount|deskontua|desk|remise|rabatt)(?: ?%)?|% ?d)$/],
]

/** Words of labels, as `plain` leaves them, that OCR may misread by one sign. */
const LABEL_WORDS: ReadonlySet<string> = new Set([
  'base', 'imponible', 'imposable', 'cuota', 'quota', 'cuotas', 'quotes', 'total', 'totales', 'totals', 'factura',
  'importe', 'import', 'pagar', 'subtotal', 'retencion', 'retencio', 'recargo', 'recarrec', 'equivalencia', 'suplidos',
  'suplits', 'liquido', 'guztira', 'oinarria', 'amount', 'tipo', 'tarjeta', 'efectivo', 'entregado', 'cambio',
]) // prettier-ignore
/** Words that are others of one sign more, less or changed. */
const OTHER_WORDS: ReadonlySet<string> = new Set([
  'nota',
  'bases',
  'importa',
  'imports',
  'importes',
  'tipos',
  'facturas',
  'cuotas',
  'vase',
  'tope',
])
const LETTER_OF: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '5': 's', '8': 'b', '|': 'l' }
/** A shorter word is another word too easily. */
const SHORTEST_MENDED = 5

/** True if one sign was added, lost or changed between two words. */
function isOneApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return a === b
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return Math.max(a.length, b.length) - start - end <= 1
}

/** Words that stand between the others of a label. */
const SMALL_WORDS = ['a', 'de', 'la', 'iva', 'igic']
/** What follows a word in the heading of a column. */
const LAST_WORDS: ReadonlyMap<string, string> = new Map([
  ['iva', 'iva'],
  ['r e', 'r e'],
  ['re', 'r e'],
])

/** Returns the words that OCR wrote without blanks, "CuotaIVA" or "TOTALAPAGAR"; null when the text is none such. */
function partsOfGlued(text: string): string[] | null {
  for (const known of LABEL_WORDS) {
    if (!text.startsWith(known) || known.length === text.length) continue
    const rest = text.slice(known.length)
    if (LABEL_WORDS.has(rest)) return [known, rest]
    const last = LAST_WORDS.get(rest)
    if (last !== undefined) return [known, last]
    for (const small of SMALL_WORDS) {
      const after = rest.startsWith(small) ? rest.slice(small.length) : ''
      if (LABEL_WORDS.has(after)) return [known, small, after]
    }
  }
  return null
}

function mendedWord(word: string): string {
  const bare = plain(word)
  if (bare.length < 4 || LABEL_WORDS.has(bare) || OTHER_WORDS.has(bare) || !/[a-z]{2}/.test(bare)) return word
  const letters = bare.replace(/[0158]/g, (digit) => LETTER_OF[digit] ?? digit)
  if (LABEL_WORDS.has(letters)) return letters
  const parts = partsOfGlued(letters)
  if (parts) return parts.join(' ')
  if (letters.length < SHORTEST_MENDED) return word
  const near = [...LABEL_WORDS].filter(
    (known) => known.length >= SHORTEST_MENDED && isOneApart(letters, known),
  )
  return near.length === 1 ? near[0]! : word
}

/** Dots that lead to an amount, as OCR sees them. */
const LEADER_DOTS = /\S*(?:\.\.|([a-z])\1\1)\S*\s*$/i

/** Returns a label that OCR read with the words mended that differ by one sign from words of labels. */
export function mendedLabel(text: string): string {
  return (
    text
      .replace(LEADER_DOTS, '')
      .replace(/([a-z]{2})(\d{1,2}(?:[.,]\d{1,2})?\s?%)/gi, '$1 $2')
      .replace(/(?<![\p{L}\d])[1lte|]\.?v\.?([ae])(?![\p{L}\d])/giu, 'IV$1')
      // "IYA" and "TYA", in capitals only.
      .replace(/(?<![\p{L}\d])[ITL1|]Y([AE])(?![\p{L}\d])/gu, 'IV$1')
      .replace(/[^\s:/]+/g, mendedWord)
  )
}

/** Returns what the words before an amount, which end at it, make of it; null when they say nothing. */
export function labelBefore(whole: string): AmountLabel | null {
  // Within brackets the words before them name another amount: "IRPF 15 % (base: 100,00)".
  const open = whole.lastIndexOf('(')
  const isInside = open > whole.lastIndexOf(')') && /\p{L}{3}/u.test(whole.slice(open))
  const text = isInside ? whole.slice(open) : whole
  // A percentage between the words and the amount belongs to the words.
  const bare = plain(text)
    .replace(/([a-z]{3})(?=\d{1,2}(?: \d{1,2})? ?%)/g, '$1 ')
    .replace(/(?: \(?\d{1,2}(?: \d{1,8})? ?%\)?)+$|(?: % ?\d{1,2}(?: \d{1,2})?)+$/, '')
  if (bare === '') return null
  for (const [label, pattern] of RULES) if (pattern.test(bare)) return label
  return null
}

/** Returns what the heading of a column makes of an amount. */
export function labelAbove(text: string): AmountLabel | null {
  const bare = plain(text)
  for (const [label, pattern] of COLUMN_RULES) if (pattern.test(bare)) return label
  return labelBefore(text)
}

/** True when a label, as it stands, names the total of the document and not of one line or rate. */
export function isExplicitTotal(text: string): boolean {
  const words = plain(text).split(' ')
  return words.length > 1 && ['total', 'payable'].includes(labelBefore(text) ?? '')
}

export const IS_NAMED_TAX =
  /\b(?:iva|i v a|ive|igic|ipsi|vat|bez|tva|mwst|ust|cuotas?|quota|tipo|tipus|tax)\b/

const EXEMPT =
  /\b(?:exoneration de (?:la )?tva|steuerfrei\w*|isent[oa] (?:de|do) iva|exent[aoe]s?(?: de)? (?:iva|igic|l iva|impuesto)|operacion(?:es)? exent\w*|exempt(?:a|e)? (?:d iva|from vat)|vat exempt|(?:iva|igic) exent\w*|articulo 20|art 20|ips|impuesto sobre primas|salbuetsi\w*)\b/
const REVERSE =
  /\b(?:inversion del? sujeto pasivo|inversio del subjecte passiu|investimento do suxeito pasivo|reverse charge|intracomunitaria|intra community|autoliquidation|autoliquidacao|steuerschuldnerschaft|art 196|subjektu pasiboaren)\b/

/** Goods and services of which the tax is in the margin of the seller, who does not state it (LIVA art. 138 and 142). */
const MARGIN =
  /\bregimen especial (?:de (?:los )?(?:bienes usados|objetos de arte|antiguedades)|(?:de las )?agencias de viajes?)|\bmargin scheme\b|\bdifferenzbesteuerung\b|\bregime (?:particulier|especial) (?:des|dos) (?:biens d occasion|bens em segunda mao)/

/** Why a document has no VAT that its customer could deduct. */
export type UntaxedReason = 'exempt' | 'reverse_charge' | 'margin'

/** Returns why a document has no VAT, by its words; null when they do not say. */
export function untaxedBy(text: string): UntaxedReason | null {
  const bare = plain(text)
  if (MARGIN.test(bare)) return 'margin'
  if (REVERSE.test(bare)) return 'reverse_charge'
  return EXEMPT.test(bare) ? 'exempt' : null
}
