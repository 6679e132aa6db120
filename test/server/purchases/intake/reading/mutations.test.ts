/** One wrong character on a page never makes other money proven. */
import { expect, test } from 'vitest'
import { linesOf, readText } from './read-text.ts'

const DOCUMENTS = [
  'Base imponible 1.284,00\nIVA 21 % 269,64\nTOTAL FACTURA 1.553,64 €',
  'Suma    300,00\nIVA 21% s/ 100,00    21,00\nIVA 10% s/ 200,00    20,00\nTotal a pagar    341,00',
  'Base 672,93\nIVA 21% 141,32\nRetención IRPF 7% -47,11\nSuplidos: tasa 84,26\nTOTAL A PAGAR 851,40',
  'Base 100,00\nIVA 21%    21,00\nRec. equivalencia 5,2%    5,20\nTotal 126,20',
  'Base -100,00\nIVA 21% -21,00\nTotal -121,00',
]

const moneyOf = (text: string) => {
  const reading = readText(text)
  const { withholding, supplied, total, payable } = reading.fields
  const money = [linesOf(reading)?.toSorted(), withholding.value, supplied.value, total.value, payable.value]
  return { closes: reading.closes, money: JSON.stringify(money) }
}

test.each(DOCUMENTS)('%j', (text) => {
  const right = moneyOf(text)
  expect(right.closes).toBe(true)
  const proven: string[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    const others = /\d/.test(character) ? [...'0123456789'] : character === '-' ? [''] : []
    for (const other of others) {
      if (other === character) continue
      const changed = text.slice(0, at) + other + text.slice(at + 1)
      const { closes, money } = moneyOf(changed)
      if (closes && money !== right.money) proven.push(changed)
    }
  }
  expect(proven).toEqual([])
})
