/** One wrong character on a page never makes other money proven. */
import { expect, test } from 'vitest'
import { pageOfText } from '../../../../../server/purchases/intake/pages/text-page.ts'
import { readPages } from '../../../../../server/purchases/intake/reading/read-pages.ts'
import { CONTEXT, linesOf } from './read-text.ts'

const DOCUMENTS = [
  'Base imponible 1.284,00\nIVA 21 % 269,64\nTOTAL FACTURA 1.553,64 €',
  'Suma    300,00\nIVA 21% s/ 100,00    21,00\nIVA 10% s/ 200,00    20,00\nTotal a pagar    341,00',
  'Base 672,93\nIVA 21% 141,32\nRetención IRPF 7% -47,11\nSuplidos: tasa 84,26\nTOTAL A PAGAR 851,40',
  'Base 100,00\nIVA 21%    21,00\nRec. equivalencia 5,2%    5,20\nTotal 126,20',
  'Base -100,00\nIVA 21% -21,00\nTotal -121,00',
  'FORMA DE PAGO                 Base        Cuota\nTarjeta   IVA 21 %          232,13        48,75\n          Recargo equiv. 5,2 %   232,13   12,07\n          Total factura                  292,95',
  'IVA 21 %     1.347,72     283,02\nTotal factura     1.630,74\nRetención IRPF 15 % sobre 1.347,72     −202,16\nTotal a pagar     1.428,58',
  'Factura rectificativa\nBase −100,00\nIVA 21 % −21,00\nTotal −121,00\nTotal a devolver     121,00',
  'Base     100,00\nIVA 21 %     21,00\nTotal factura     121,00\nYa facturado     −21,00\nTotal a pagar     100,00',
  '                 Base        Cuota\nExenta         279,53      —\nTotal factura             279,53\nOperación exenta de IVA',
  '2 × 60,50 · IVA 21 %     121,00\nIVA 21 % · Base 100,00     21,00\nTotal     121,00',
]

const moneyOf = (text: string, codedCents: number | null = null) => {
  const [reading] = readPages([pageOfText(text)], { ...CONTEXT, codedCents })
  if (!reading) throw new Error('The text has no words.')
  const { withholding, supplied, total, payable } = reading.fields
  const money = [linesOf(reading)?.toSorted(), withholding.value, supplied.value, total.value, payable.value]
  const coded = (total.value ?? 0) + (supplied.value ?? 0)
  return { closes: reading.closes, money: JSON.stringify(money), coded }
}

test.each([
  ...DOCUMENTS.map((text) => [text, false] as const),
  ...DOCUMENTS.map((text) => [text, true] as const),
])('%j, beside the total of a code: %s', (text, isCoded) => {
  const { coded, ...right } = moneyOf(text)
  expect(right.closes).toBe(true)
  const proven: string[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    const others = /\d/.test(character) ? [...'0123456789'] : character === '-' ? [''] : []
    for (const other of others) {
      if (other === character) continue
      const changed = text.slice(0, at) + other + text.slice(at + 1)
      const { closes, money } = moneyOf(changed, isCoded ? coded : null)
      if (closes && money !== right.money) proven.push(changed)
    }
  }
  expect(proven).toEqual([])
})
