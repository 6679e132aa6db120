/** Remembers where the window stood. A damaged or out-of-reach memory is forgotten, never an error. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Rectangle } from 'electron'

export interface WindowState extends Partial<Rectangle> {
  width: number
  height: number
  maximized: boolean
  /** How large the page is drawn; 1 when absent. */
  zoom?: number
}

export const FIRST_WINDOW: WindowState = { width: 1280, height: 840, maximized: false }
export const MINIMUM_SIZE = { width: 420, height: 560 }
/** So much of the title bar must lie on a screen for the window to be caught with the mouse. */
const GRASP_PX = 80

/** The last state, if it can still be reached on the screens there are now (`workAreas`, in pixels). */
export function readWindowState(file: string, workAreas: readonly Rectangle[]): WindowState {
  let saved: unknown
  try {
    saved = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return FIRST_WINDOW
  }
  if (typeof saved !== 'object' || saved === null) return FIRST_WINDOW
  const { x, y, width, height, maximized, zoom } = saved as Record<string, unknown>
  if (!isPixels(width) || !isPixels(height)) return FIRST_WINDOW
  const size = {
    width: Math.max(width, MINIMUM_SIZE.width),
    height: Math.max(height, MINIMUM_SIZE.height),
    maximized: maximized === true,
    ...(isZoom(zoom) && zoom !== 1 ? { zoom } : {}),
  }
  if (!isPixels(x) || !isPixels(y)) return size
  const reachable = workAreas.some(
    (area) =>
      x + size.width - GRASP_PX >= area.x &&
      x + GRASP_PX <= area.x + area.width &&
      y >= area.y &&
      y + GRASP_PX <= area.y + area.height,
  )
  return reachable ? { ...size, x, y } : size
}

/** Keeps the state; replaces the file whole, so that a crash leaves the old one. */
export function saveWindowState(file: string, state: WindowState): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(state))
    renameSync(`${file}.new`, file)
  } catch {
    // A full disk must not stop the window from closing.
  }
}

const isPixels = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) < 100_000

/** As far as the menu's entries go. */
const isZoom = (value: unknown): value is number => typeof value === 'number' && value >= 0.25 && value <= 5
