/** The concept of an expense by its words: lists at first, then what two suppliers or more have taught. */
import { describe, expect, test } from 'vitest'
import { classify, digestsOf, taughtBy, wordModelOf } from '../../../../server/purchases/memory/classify.ts'
import { emptyMemory } from '../../../../server/purchases/memory/shape.ts'
import { CATEGORY_SAMPLES } from '../../../../bench/intake/category-samples.ts'
import { pageOfText } from '../../../../server/purchases/intake/pages/text-page.ts'
import { readPages } from '../../../../server/purchases/intake/reading/read-pages.ts'

const CONTEXT = { ownNif: 'B50998871', ownName: 'Carpintería Lasala, S.L.', today: '2026-12-31' }

const readingOf = (text: string) => readPages([pageOfText(text.replaceAll('. ', '\n'))], CONTEXT)[0]
const wordsOf = (text: string): string[] => readingOf(text)?.layout.words ?? []

const fresh = wordModelOf([])

describe('in a new book', () => {
  test.each([
    ['Póliza multirriesgo. Prima neta. Consorcio', 'seguros', 'G20'],
    ['Potencia contratada. Energía kWh. CUPS', 'suministros', 'G14'],
    ['Alcantarillado. Depuración. Agua consumida', 'suministros', 'G15'],
    ['Minuta de honorarios. Asesoría fiscal', 'profesionales', 'G19'],
    ['Menú del día. Café. 2 comensales', 'restauracion', null],
  ])('%s is of %s', (text, category, concept) => {
    expect(classify(fresh, wordsOf(text))).toMatchObject({ category, concept })
  })

  test('words that no list has decide nothing', () => {
    expect(classify(fresh, ['xilofono', 'zarzamora'])).toBeNull()
    expect(classify(fresh, [])).toBeNull()
  })

  test('at least 50 of 60 texts of suppliers are right', () => {
    const right = CATEGORY_SAMPLES.filter(
      ([category, text]) =>
        (classify(fresh, wordsOf(text))?.category ?? readingOf(text)?.fields.category.value) === category,
    )
    console.log(`categories: ${right.length} of ${CATEGORY_SAMPLES.length} right`)
    expect(right.length).toBeGreaterThanOrEqual(50)
  })
})

describe('what suppliers teach', () => {
  const supplier = (concept: string, ...words: string[]) => ({ concept, words: digestsOf(words) })

  test('counts from two of them on', () => {
    const words = ['afilado', 'cuchillas']
    expect(classify(wordModelOf([supplier('G13', ...words)]), words)).toBeNull()
    const model = wordModelOf([supplier('G13', ...words), supplier('G13', ...words)])
    expect(classify(model, words)).toMatchObject({ concept: 'G13' })
  })

  test('is only what most documents of a supplier have', () => {
    const layouts = [{ print: [], documents: 4, rules: [] }]
    const memory = {
      ...emptyMemory(),
      layouts,
      usual: { concept: { value: 'G13', streak: 1 } },
      words: { aaaaaa: 4, bbbbbb: 1 },
    }
    expect(taughtBy(memory)).toEqual({ concept: 'G13', words: ['aaaaaa'] })
    expect(taughtBy(emptyMemory())).toBeNull()
  })

  test('holds no word of a document that is in no list', () => {
    expect(digestsOf(['gasolinera', 'perez'])).toEqual(['gasolin*', expect.stringMatching(/^[0-9a-f]{6}$/)])
  })
})
