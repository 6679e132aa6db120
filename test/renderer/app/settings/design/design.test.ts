import { describe, expect, test } from 'vitest'
import {
  changesOf,
  colourFault,
  contrastOf,
  FOOTER_CHARS,
  FOOTER_LINES,
  footerFault,
  formOf,
  HOUSE_COLOUR,
  readColour,
  SWATCHES,
  undoChange,
} from '../../../../../renderer/app/settings/design/design.ts'
import type { Design } from '../../../../../renderer/app/settings/design/design.ts'
import {
  fitPicture,
  MAX_PICTURE_BYTES,
  pictureFault,
} from '../../../../../renderer/app/settings/design/logo.ts'
import * as limits from '../../../../../server/company/design/limits.ts'
import { isReadableOnWhite } from '../../../../../server/domain/contrast.ts'
import { readableAccent } from '../../../../../server/documents/pdf/layout/index.ts'

const KEPT: Design = {
  accent: '#8A1538',
  footer: 'Gracias\nHasta pronto',
  simplifiedFormat: 'a4',
  paymentQr: true,
  logo: { width: 240, height: 80, sha256: 'ab'.repeat(32) },
}
const LOGO = { base64: 'AAAA', url: 'data:image/png;base64,AAAA', width: 32, height: 16, bytes: 3 }

describe('constants of the server repeated in the page', () => {
  test("are equal to the server's", () => {
    expect([FOOTER_CHARS, FOOTER_LINES]).toEqual([limits.FOOTER_CHARS, limits.FOOTER_LINES])
    expect(HOUSE_COLOUR).toBe(readableAccent(null))
  })
})

describe('a colour', () => {
  test('is parsed as users type it', () => {
    expect(readColour(' 8a1538 ')).toBe('#8A1538')
    expect(readColour('#1bf')).toBe('#11BBFF')
    for (const text of ['', '#', 'red', '#12345', '#1234567', '##123456', '12 34 56'])
      expect(readColour(text), text).toBeNull()
  })

  test('that is too light is rejected with its contrast, which is never overstated', () => {
    expect(colourFault('#767676')).toBeNull()
    expect(colourFault('#777777')).toBe('contrast')
    // 4.478 to 1: rounded to the nearest it would count as sufficient.
    expect(contrastOf('#777777')).toBe(4.4)
    expect(contrastOf('#000')).toBe(21)
    expect(colourFault('rojo')).toBe('colour')
    expect(contrastOf('rojo')).toBeNull()
  })

  test('offered by the page is legible, and each of the ten is different', () => {
    expect(
      SWATCHES.filter(({ colour }) => !isReadableOnWhite(colour) || readColour(colour) !== colour),
    ).toEqual([])
    expect(new Set(SWATCHES.map(({ colour }) => colour)).size).toBe(10)
    expect(new Set(SWATCHES.map(({ name }) => name)).size).toBe(10)
  })
})

test('a footer has at most as many characters and lines as the server takes, without surrounding blanks', () => {
  expect(footerFault(` ${'x'.repeat(FOOTER_CHARS)}\n\n`)).toBeNull()
  expect(footerFault('x'.repeat(FOOTER_CHARS + 1))).toBe('footerLong')
  expect(footerFault('1\n2\r\n3\n4\n')).toBeNull()
  expect(footerFault('1\n2\n3\n4\n5')).toBe('footerLines')
})

describe('changes of the design', () => {
  test('are empty at first, and for the same value typed differently', () => {
    expect(changesOf(formOf(KEPT), KEPT)).toEqual({})
    expect(
      changesOf({ ...formOf(KEPT), accent: '8a1538', footer: ' Gracias\r\nHasta pronto ' }, KEPT),
    ).toEqual({})
    const plain = { ...KEPT, accent: null, footer: null, logo: null }
    expect(changesOf(formOf(plain), plain)).toEqual({})
    expect(changesOf({ ...formOf(plain), logo: null }, plain)).toEqual({})
  })

  test('contain the changed field only', () => {
    const form = formOf(KEPT)
    expect(changesOf({ ...form, accent: '#1F4E9E' }, KEPT)).toEqual({ accent: '#1F4E9E' })
    expect(changesOf({ ...form, footer: ' ' }, KEPT)).toEqual({ footer: null })
    expect(changesOf({ ...form, simplifiedFormat: 'ticket', paymentQr: false }, KEPT)).toEqual({
      simplifiedFormat: 'ticket',
      paymentQr: false,
    })
    expect(changesOf({ ...form, logo: LOGO }, KEPT)).toEqual({ logo: 'AAAA' })
    expect(changesOf({ ...form, logo: null }, KEPT)).toEqual({ logo: null })
  })

  test('store the default colour as none', () => {
    expect(changesOf({ ...formOf(KEPT), accent: HOUSE_COLOUR }, KEPT)).toEqual({ accent: null })
  })

  test('can be undone', () => {
    expect(undoChange({ accent: null, logo: null }, KEPT, 'BBBB')).toEqual({
      accent: '#8A1538',
      logo: 'BBBB',
    })
    expect(undoChange({ footer: 'x', paymentQr: false, simplifiedFormat: 'ticket' }, KEPT, null)).toEqual({
      footer: KEPT.footer,
      paymentQr: true,
      simplifiedFormat: 'a4',
    })
  })
})

describe('a picture', () => {
  test('is checked by its name, kind and size before it is read', () => {
    expect(pictureFault({ name: 'logo.webp', type: 'image/webp', size: 10 })).toBeNull()
    expect(pictureFault({ name: 'LOGO.SVG', type: '', size: MAX_PICTURE_BYTES })).toBeNull()
    expect(pictureFault({ name: 'factura.pdf', type: 'application/pdf', size: 10 })).toBe('pictureKind')
    expect(pictureFault({ name: 'logo.png', type: 'image/png', size: 0 })).toBe('pictureEmpty')
    expect(pictureFault({ name: 'logo.png', type: 'image/png', size: MAX_PICTURE_BYTES + 1 })).toBe(
      'pictureLarge',
    )
  })

  test.each([
    [{ width: 4000, height: 1000 }, false, { width: 1200, height: 300 }],
    [{ width: 900, height: 900 }, false, { width: 400, height: 400 }],
    [{ width: 300, height: 100 }, false, { width: 300, height: 100 }],
    [{ width: 24, height: 24 }, true, { width: 400, height: 400 }],
    [{ width: 600, height: 60 }, true, { width: 1200, height: 120 }],
  ])('of %o (drawing: %s) is sent as %o', (size, isVector, sent) => {
    expect(fitPicture(size, isVector)).toEqual({ sheet: sent, picture: sent })
  })

  test('that is narrower than the server takes gets a white margin', () => {
    expect(fitPicture({ width: 6000, height: 30 }, false)).toEqual({
      sheet: { width: 1200, height: 16 },
      picture: { width: 1200, height: 6 },
    })
    expect(fitPicture({ width: 8, height: 8 }, false).sheet).toEqual({ width: 16, height: 16 })
    expect(fitPicture({ width: 1, height: 9000 }, false).picture).toEqual({ width: 1, height: 400 })
  })
})
