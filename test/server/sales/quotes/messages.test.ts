/** What stands on an invoice made from a quote, in each language of documents. */
import { expect, test } from 'vitest'
import type { DocumentLanguage } from '../../../../server/domain/languages.ts'
import { conversionMessages } from '../../../../server/sales/quotes/messages.ts'

test.each<[DocumentLanguage, string, string, string]>([
  ['es', 'Según presupuestos P-1, P-2 y P-3.', 'Anticipo del 30 % del albarán A-1', 'Descuento (2,5 %)'],
  ['ca', 'Segons pressupostos P-1, P-2 i P-3.', "Bestreta del 30 % de l'albarà A-1", 'Descompte (2,5 %)'],
  [
    'eu',
    'Aurrekontu hauen arabera: P-1, P-2 eta P-3.',
    'Aurrerakina: A-1 albaranaren % 30',
    'Deskontua (% 2,5)',
  ],
  ['gl', 'Segundo orzamentos P-1, P-2 e P-3.', 'Anticipo do 30 % do albará A-1', 'Desconto (2,5 %)'],
  ['en', 'As per quotes P-1, P-2 and P-3.', 'Deposit of 30% of delivery note A-1', 'Discount (2.5%)'],
  ['fr', 'Selon devis P-1, P-2 et P-3.', 'Acompte de 30 % sur le bon de livraison A-1', 'Remise (2,5 %)'],
  ['de', 'Gemäß Angeboten P-1, P-2 und P-3.', 'Anzahlung von 30 % auf Lieferschein A-1', 'Rabatt (2,5 %)'],
  [
    'pt',
    'Conforme orçamentos P-1, P-2 e P-3.',
    'Adiantamento de 30 % da guia de remessa A-1',
    'Desconto (2,5 %)',
  ],
])('%s', (language, origin, deposit, discount) => {
  const words = conversionMessages(language)
  expect(words.origin('quote', ['P-1', 'P-2', 'P-3'])).toBe(origin)
  expect(words.deposit(3000, 'delivery_note', 'A-1')).toBe(deposit)
  expect(words.discount(250)).toBe(discount)
  expect(words.discount(0)).toBe(discount.replace(/ \(.*/, ''))
  expect(words.deducted(['F-1', 'F-2'])).toBe(
    `${words.deducted([])} (F-1 ${/ (\S+) P-3/.exec(origin)?.[1]} F-2)`,
  )
  expect(words.origin('proforma', ['X-1'])).toMatch(/ X-1\.$/)
})
