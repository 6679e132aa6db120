/**
 * Renders the program's icons from build/icon.svg with Chromium and packs them for each system: `npm run icons`. The
 * files are committed, because a build environment need not have Chromium.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { chromium } from 'playwright-core'

const HERE = import.meta.dirname
const INK = '#3744b8'
/** Maximum size in pixels for which the simplified drawing is used. */
const SMALL_PX = 32
const LINUX_PX = [16, 24, 32, 48, 64, 96, 128, 256, 512]
const WINDOWS_PX = [16, 20, 24, 32, 40, 48, 64, 128, 256]
/**
 * Entries of an ICNS file that contain a PNG. The 16 and 32 pixel entries without `@2x` are omitted: some systems
 * render PNG in them incorrectly, and use the denser ones instead.
 */
const MAC_ENTRIES = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
] as const

interface Picture {
  png: Buffer
}

function findChromium(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  return ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file))
}

/** Returns the content of a symbol in the source. */
function symbolOf(source: string, id: string): string {
  const found = new RegExp(`<symbol id="${id}"[^>]*>([\\s\\S]*?)</symbol>`).exec(source)
  if (!found?.[1]) throw new Error(`build/icon.svg has no symbol called ${id}.`)
  return found[1]
}

/**
 * Returns the picture for one size: the tile fills the square, except on macOS, whose icons have a margin of 100 in
 * 1024.
 */
function pictureOf(source: string, px: number, mac = false): string {
  const small = px <= SMALL_PX && !mac
  // The margin on macOS leaves fewer pixels for the drawing itself.
  const drawing = small || (mac && px <= 2 * SMALL_PX) ? 'small' : 'mark'
  const margin = mac ? 100 : 0
  const side = 1024 - 2 * margin
  const corner = mac ? 185 : small ? 192 : 200
  const shadow = mac
    ? '<filter id="s" x="-10%" y="-10%" width="120%" height="125%"><feDropShadow dx="0" dy="10" stdDeviation="12" flood-opacity=".28"/></filter>'
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${px}" height="${px}" viewBox="0 0 1024 1024">${shadow}<rect x="${margin}" y="${margin}" width="${side}" height="${side}" rx="${corner}" fill="${INK}"${mac ? ' filter="url(#s)"' : ''}/><svg x="${margin}" y="${margin}" width="${side}" height="${side}" viewBox="0 0 ${drawing === 'small' ? '16 16' : '1024 1024'}">${symbolOf(source, drawing)}</svg></svg>`
}

/** Packs an ICO file: a table of pictures, each a PNG (Windows Vista and newer). */
export function packIco(pictures: readonly (Picture & { px: number })[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, { px, png }] of pictures.entries()) {
    const at = 6 + 16 * index
    // One byte each for width and height: 0 means 256.
    head[at] = px % 256
    head[at + 1] = px % 256
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)])
}

/** Packs an ICNS file: blocks of a four-letter type, their total length, and a PNG. */
export function packIcns(pictures: readonly (Picture & { type: string })[]): Buffer {
  const blocks = pictures.map(({ type, png }) => {
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32BE(png.length + 8, 4)
    return Buffer.concat([head, png])
  })
  const head = Buffer.alloc(8)
  head.write('icns', 'latin1')
  head.writeUInt32BE(8 + blocks.reduce((sum, block) => sum + block.length, 0), 4)
  return Buffer.concat([head, ...blocks])
}

/** Renders every icon file with the Chromium at `executablePath`; returns them by their path in build/. */
export async function makeIcons(executablePath: string): Promise<Record<string, Buffer>> {
  const source = readFileSync(join(HERE, 'icon.svg'), 'utf8')
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb', '--no-first-run'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1024, height: 1024 }, deviceScaleFactor: 1 })
    const drawn = new Map<string, Buffer>()
    const draw = async (px: number, mac = false): Promise<Buffer> => {
      const name = `${px} ${mac}`
      let png = drawn.get(name)
      if (!png) {
        await page.setContent(
          `<style>html,body{margin:0;background:transparent}svg{display:block}</style>${pictureOf(source, px, mac)}`,
        )
        const clip = { x: 0, y: 0, width: px, height: px }
        png = await page.screenshot({ omitBackground: true, clip })
        drawn.set(name, png)
      }
      return png
    }
    const files: Record<string, Buffer> = { 'icon.png': await draw(1024) }
    // Shown by assistants next to the bundle.
    files['../server/app/assistants/bridge/icon.png'] = await draw(256)
    for (const px of LINUX_PX) files[`icons/${px}x${px}.png`] = await draw(px)
    const windows = []
    for (const px of WINDOWS_PX) windows.push({ px, png: await draw(px) })
    files['icon.ico'] = packIco(windows)
    const mac = []
    for (const [type, px] of MAC_ENTRIES) mac.push({ type, png: await draw(px, true) })
    files['icon.icns'] = packIcns(mac)
    return files
  } finally {
    await browser.close()
  }
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
  const executablePath = findChromium()
  if (!executablePath)
    throw new Error('Icons are drawn with Chromium, which is not here: name it with CHROMIUM=…')
  for (const [path, bytes] of Object.entries(await makeIcons(executablePath))) {
    const file = join(HERE, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
    console.error(`wrote build/${path}`)
  }
}
