/** Stores the position of the window. A damaged or unusable state is ignored, never an error. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Rectangle } from 'electron'

interface WindowState extends Partial<Rectangle> {
  width: number
  height: number
  maximized: boolean
  /** Zoom factor of the page; 1 if absent. */
  zoom?: number
}

export const FIRST_WINDOW: WindowState = { width: 1280, height: 840, maximized: false }
export const MINIMUM_SIZE = { width: 420, height: 560 }
/** Width of the title bar that must be on a screen for the window to be reachable with the mouse. */
const GRASP_PX = 80

/** Returns the last state, if it is reachable on the current screens (`workAreas`, in pixels). */
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

/** Stores the state atomically, so that a crash leaves the old one. */
export function saveWindowState(file: string, state: WindowState): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(state))
    renameSync(`${file}.new`, file)
  } catch {
    // A full disk must not prevent the window from closing.
  }
}

const isPixels = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) < 100_000

/** Returns true for a value within the range of the menu's entries. */
const isZoom = (value: unknown): value is number => typeof value === 'number' && value >= 0.25 && value <= 5
