/**
 * Badge with the number of pending decisions: a number on the dock and on Linux task bars, a dot on the Windows
 * button.
 */
import type * as Electron from 'electron'

const DOT_PX = 16
/** The page's ink colour in the order of Windows bitmaps: blue, green, red, alpha. */
const INK = [0xb8, 0x44, 0x37, 0xff] as const

export function showBadge(
  { app, nativeImage }: Pick<typeof Electron, 'app' | 'nativeImage'>,
  window: Pick<Electron.BrowserWindow, 'setOverlayIcon'> | null,
  count: number,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform !== 'win32') {
    app.setBadgeCount(count)
    return
  }
  const dot = count === 0 ? null : nativeImage.createFromBitmap(drawDot(), { width: DOT_PX, height: DOT_PX })
  window?.setOverlayIcon(dot, count === 0 ? '' : String(count))
}

/** Draws a filled circle on a transparent background. */
export function drawDot(): Buffer {
  const bitmap = Buffer.alloc(DOT_PX * DOT_PX * 4)
  const middle = (DOT_PX - 1) / 2
  for (let y = 0; y < DOT_PX; y++)
    for (let x = 0; x < DOT_PX; x++)
      if (Math.hypot(x - middle, y - middle) <= middle) bitmap.set(INK, (y * DOT_PX + x) * 4)
  return bitmap
}
