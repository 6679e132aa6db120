/**
 * Measures texts for the layout: with the fonts where documents are drawn, by estimate where only the content of a
 * layout matters and no font is loaded.
 */

export type Weight = 'regular' | 'semibold' | 'bold'

interface Measure {
  /** Width in points. */
  textWidth(weight: Weight, text: string, size: number): number
  /** True if all typefaces have the character. */
  canDraw(codePoint: number): boolean
}

/** Half an em is about the width of a letter of these typefaces; every character is taken as drawable. */
const ESTIMATE: Measure = {
  textWidth: (_weight, text, size) => text.length * size * 0.5,
  canDraw: () => true,
}

let inUse: Measure | null = null

/** Sets how texts are measured from now on; the fonts call it when they are loaded. */
export function useMeasure(measure: Measure): void {
  inUse = measure
}

/** Runs a layout with estimated widths: its lines may break elsewhere, its texts are the same. */
export function withEstimatedWidths<T>(layOut: () => T): T {
  const before = inUse
  inUse = ESTIMATE
  try {
    return layOut()
  } finally {
    inUse = before
  }
}

/** Returns true while widths are estimated. */
export function isEstimated(): boolean {
  return inUse === ESTIMATE
}

function measure(): Measure {
  if (inUse === null) throw new Error('No fonts are loaded to measure texts with.')
  return inUse
}

export function textWidth(weight: Weight, text: string, size: number): number {
  return measure().textWidth(weight, text, size)
}

export function canDraw(codePoint: number): boolean {
  return measure().canDraw(codePoint)
}
