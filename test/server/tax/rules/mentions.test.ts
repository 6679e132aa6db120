/**
 * Legal mentions of an invoice: right for each treatment, each once, and bilingual for customers with another
 * language.
 */
import { expect, test } from 'vitest'
import { DOCUMENT_LANGUAGES } from '../../../../server/domain/languages.ts'
import type { DocumentLanguage } from '../../../../server/domain/languages.ts'
import { TAX_TREATMENTS } from '../../../../server/domain/tax/totals.ts'
import { causes, causesOf, findCause, legalMentions } from '../../../../server/tax/rules/index.ts'
import type { MentionLine } from '../../../../server/tax/rules/index.ts'

function mentions(lines: MentionLine[], language: DocumentLanguage = 'es', customerCountry = 'ES'): string[] {
  return legalMentions(lines, { language, customerCountry })
}
const line = (
  taxTreatment: MentionLine['taxTreatment'],
  regimeKey = '01',
  cause: string | null = null,
): MentionLine => ({
  taxTreatment,
  regimeKey,
  cause,
})

test.each([
  ['S2', '01', 'Inversión del sujeto pasivo (art. 84 Ley 37/1992)'],
  ['N1', '01', 'Operación no sujeta (art. 7 Ley 37/1992)'],
  ['E1', '01', 'Operación exenta (art. 20 Ley 37/1992)'],
  ['E2', '02', 'Operación', 'Exportación exenta (art. 21 Ley 37/1992)'],
  ['E5', '01', 'Entrega intracomunitaria exenta (art. 25 Ley 37/1992)'],
  ['E6', '01', 'Operación exenta'],
] as const)('%s carries its mention without a cause', (treatment, regime, ...words) =>
  expect(mentions([line(treatment, regime)])).toEqual([words.at(-1)]),
)

test('a plain taxed line carries no mention; the schemes carry theirs', () => {
  expect(mentions([line('S1')])).toEqual([])
  expect(mentions([line('S1', '03')])).toEqual(['Régimen especial de los bienes usados'])
  expect(mentions([line('S1', '03', 'margin_art')])).toEqual(['Régimen especial de los objetos de arte'])
  expect(mentions([line('S1', '03', 'margin_antiques')])).toEqual([
    'Régimen especial de las antigüedades y objetos de colección',
  ])
  expect(mentions([line('S1', '05')])).toEqual(['Régimen especial de las agencias de viajes'])
  expect(mentions([line('S1', '07')])).toEqual(['Régimen especial del criterio de caja'])
  expect(mentions([line('S1', '11'), line('S1', '18'), line('S1', '20')])).toEqual([])
})

test('a service to the Union carries reverse charge; outside it does not', () => {
  expect(mentions([line('N2')], 'es', 'DE')).toEqual([
    'Operación no sujeta por reglas de localización. Inversión del sujeto pasivo / Reverse charge',
  ])
  expect(mentions([line('N2')], 'es', 'US')).toEqual([
    'Operación no sujeta por reglas de localización (arts. 68 a 72 Ley 37/1992)',
  ])
  expect(mentions([line('N2', '17')], 'es', 'FR')).toEqual([
    'IVA del Estado de destino, régimen de ventanilla única (OSS)',
  ])
})

test('the cause names its article', () => {
  expect(mentions([line('E1', '01', 'private_lessons')])).toEqual([
    'Operación exenta (art. 20.Uno.10º Ley 37/1992)',
  ])
  expect(mentions([line('S2', '01', 'reverse_works')])).toEqual([
    'Inversión del sujeto pasivo (art. 84.Uno.2º.f Ley 37/1992)',
  ])
})

test('a cause left over from another treatment is ignored', () =>
  expect(mentions([line('E5', '01', 'private_lessons')])).toEqual([
    'Entrega intracomunitaria exenta (art. 25 Ley 37/1992)',
  ]))

test('an unknown cause falls back to the mention of the treatment', () =>
  expect(mentions([line('E1', '01', 'nothing_known')])).toEqual(['Operación exenta (art. 20 Ley 37/1992)']))

test('several lines give each mention once, in line order', () =>
  expect(
    mentions([
      line('S2'),
      line('E1', '01', 'medical'),
      line('S2'),
      line('S1', '07'),
      line('E1', '01', 'medical'),
    ]),
  ).toEqual([
    'Inversión del sujeto pasivo (art. 84 Ley 37/1992)',
    'Operación exenta (art. 20.Uno.3º Ley 37/1992)',
    'Régimen especial del criterio de caja',
  ]))

test.each([
  ['en', 'S2', 'Reverse charge'],
  ['de', 'S2', 'Steuerschuldnerschaft des Leistungsempfängers'],
  ['fr', 'S2', 'Autoliquidation'],
  ['pt', 'S2', 'Autoliquidação'],
  ['eu', 'S2', 'Subjektu pasiboaren inbertsioa'],
  ['gl', 'S2', 'Investimento do suxeito pasivo'],
  ['ca', 'S2', 'Inversió del subjecte passiu'],
  ['de', 'E5', 'Steuerfreie innergemeinschaftliche Lieferung'],
  ['pt', 'E2', 'Exportação isenta de IVA'],
  ['fr', 'E1', 'Exonération de TVA'],
] as const)(
  'in %s, %s is printed in Spanish and in the words of the Directive',
  (language, treatment, words) => {
    const [mention = ''] = mentions([line(treatment)], language, 'DE')
    expect(mention).toContain(' / ')
    expect(mention.endsWith(words)).toBe(true)
    expect(mention.startsWith(mentions([line(treatment)])[0] ?? '-')).toBe(true)
  },
)

test.each<[DocumentLanguage, string, string]>([
  ['en', 'Margin scheme - Second-hand goods', 'Cash accounting'],
  ['fr', "Régime particulier - Biens d'occasion", 'Comptabilité de caisse'],
  ['de', 'Gebrauchtgegenstände/Sonderregelung', 'Besteuerung nach vereinnahmten Entgelten'],
  ['pt', 'Regime da margem de lucro - Bens em segunda mão', 'Contabilidade de caixa'],
  ['ca', 'Règim especial dels béns usats', 'Règim especial del criteri de caixa'],
])(
  'in %s the schemes have the names of the Directive, or of the law in that language',
  (language, used, cash) =>
    expect(mentions([line('S1', '03'), line('S1', '07')], language)).toEqual([
      `Régimen especial de los bienes usados / ${used}`,
      `Régimen especial del criterio de caja / ${cash}`,
    ]),
)

test('self-billed invoices carry their mention', () => {
  const said = DOCUMENT_LANGUAGES.map((language) =>
    legalMentions([line('S1')], { language, customerCountry: 'ES', selfBilled: true }).join(),
  )
  const own = ['Facturació pel destinatari', 'Hartzaileak egindako faktura', 'Facturación polo destinatario']
  const others = ['Self-billing', 'Autofacturation', 'Gutschrift', 'Autofaturação']
  const spanish = 'Facturación por el destinatario'
  expect(said).toEqual([spanish, ...[...own, ...others].map((words) => `${spanish} / ${words}`)])
})

test('a mention that exists only in Spanish and English is not in English for a customer in Spain', () => {
  for (const { code, taxTreatment, regimeKey } of causes)
    for (const language of ['ca', 'eu', 'gl'] as const) {
      const english =
        mentions([line(taxTreatment, regimeKey, code)], 'en')
          .join()
          .split(' / ')
          .at(-1) ?? ''
      const own = mentions([line(taxTreatment, regimeKey, code)], language).join()
      // Two of the Spanish mentions contain "Reverse charge" themselves.
      if (english !== '' && !english.includes('Reverse charge') && own.includes(' / '))
        expect(own, code).not.toContain(english)
    }
})

test('every treatment without VAT has a mention in every language, for every cause and every customer', () => {
  for (const language of DOCUMENT_LANGUAGES)
    for (const country of ['ES', 'DE', 'US'])
      for (const treatment of TAX_TREATMENTS.filter((each) => each !== 'S1'))
        for (const cause of [null, ...causesOf(treatment).map((each) => each.code)]) {
          const said = mentions([line(treatment, '01', cause)], language, country)
          expect(said, `${language} ${country} ${treatment} ${cause}`).toHaveLength(1)
          expect(said[0]).not.toMatch(/[{}]|undefined/)
        }
})

test('codes of the catalogue are unique and every row is complete', () => {
  expect(new Set(causes.map((each) => each.code)).size).toBe(causes.length)
  for (const cause of causes) {
    expect(cause.code).toMatch(/^[a-z_]+$/)
    expect(cause.regimeKey).toMatch(/^(0[1-9]|1[0-9]|20)$/)
    expect(cause.article).not.toBe('')
    expect(cause.question.es).not.toBe(cause.question.en)
    expect(findCause(cause.code)).toBe(cause)
  }
  // Exports are not under the general regime.
  expect(causes.filter((each) => /^E[23]$/.test(each.taxTreatment) && each.regimeKey === '01')).toEqual([])
})
