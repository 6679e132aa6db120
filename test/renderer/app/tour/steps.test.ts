/** The tour's card never covers its target, and every step has a page and texts. */
import { expect, test } from 'vitest'
import en from '../../../../renderer/locales/en/index.ts'
import es from '../../../../renderer/locales/es/index.ts'
import { placeCard, TOUR } from '../../../../renderer/app/tour/steps.ts'
import type { Box } from '../../../../renderer/app/tour/steps.ts'
import { resolves } from '../../../support/browser/window-paths.ts'

test('each step is a page of the window and has its texts in both languages', () => {
  expect(TOUR.length).toBeGreaterThanOrEqual(6)
  for (const { id, path } of TOUR) {
    expect(resolves(path), id).toBe(true)
    expect(es.tour.steps[id].title).not.toBe('')
    expect(en.tour.steps[id].text).not.toBe('')
  }
})

const overlap = (a: Box, b: Box) =>
  a.left < b.left + b.width &&
  b.left < a.left + a.width &&
  a.top < b.top + b.height &&
  b.top < a.top + a.height

test.each([
  ['a wide window', { width: 1280, height: 800 }, { width: 320, height: 200 }],
  ['a narrow one', { width: 420, height: 800 }, { width: 420, height: 210 }],
])('in %s the card stays inside the window and off its target, wherever that is', (_name, view, card) => {
  for (let left = 0; left <= view.width - 100; left += 40)
    for (let top = 0; top <= view.height - 60; top += 40) {
      const target = { left, top, width: Math.min(300, view.width - left), height: 60 }
      const place = placeCard(target, card, view)
      const box = { left: view.width < 640 ? 0 : place.left, top: place.top, ...card }
      expect(overlap(box, target), JSON.stringify({ target, box })).toBe(false)
      expect(box.left >= 0 && box.left + card.width <= view.width, JSON.stringify(box)).toBe(true)
      expect(box.top >= 0 && box.top + card.height <= view.height, JSON.stringify(box)).toBe(true)
    }
})

test('without a target the card is centred', () => {
  expect(placeCard(null, { width: 320, height: 200 }, { width: 1280, height: 800 })).toEqual({
    left: 480,
    top: 300,
  })
})
