/** The icons are complete: every system finds the sizes it needs, and the files match their source. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { makeIcons, packIcns, packIco } from '../../build/icons.ts'
import { needs, tool } from '../support/tools.ts'

const build = resolve(import.meta.dirname, '../../build')
const fileOf = (path: string): Buffer => readFileSync(resolve(build, path))

/** Returns the pictures of an ICO file with the size in its table. */
function readIco(file: Buffer): { px: number; png: Buffer }[] {
  expect([file.readUInt16LE(0), file.readUInt16LE(2)]).toEqual([0, 1])
  return Array.from({ length: file.readUInt16LE(4) }, (_, index) => {
    const at = 6 + 16 * index
    const offset = file.readUInt32LE(at + 12)
    expect(file[at]).toBe(file[at + 1])
    return { px: file[at] || 256, png: file.subarray(offset, offset + file.readUInt32LE(at + 8)) }
  })
}

function readIcns(file: Buffer): { type: string; png: Buffer }[] {
  expect(file.toString('latin1', 0, 4)).toBe('icns')
  expect(file.readUInt32BE(4)).toBe(file.length)
  const entries = []
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4))
    entries.push({
      type: file.toString('latin1', at, at + 4),
      png: file.subarray(at + 8, at + file.readUInt32BE(at + 4)),
    })
  return entries
}

/** Pixels per side for the types of Apple's icon files. */
const ICNS_PX: Record<string, number> = {
  ic11: 32,
  ic12: 64,
  ic07: 128,
  ic13: 256,
  ic08: 256,
  ic14: 512,
  ic09: 512,
  ic10: 1024,
}

/** Returns every picture in the files, by the file and its place in it. */
function picturesOf(files: (path: string) => Buffer): Map<string, PNG> {
  const pictures = new Map<string, PNG>([['icon.png', PNG.sync.read(files('icon.png'))]])
  for (const px of [16, 24, 32, 48, 64, 96, 128, 256, 512])
    pictures.set(`${px}x${px}`, PNG.sync.read(files(`icons/${px}x${px}.png`)))
  for (const { px, png } of readIco(files('icon.ico'))) pictures.set(`ico ${px}`, PNG.sync.read(png))
  for (const { type, png } of readIcns(files('icon.icns'))) pictures.set(`icns ${type}`, PNG.sync.read(png))
  return pictures
}

describe('the committed icons', () => {
  const pictures = picturesOf(fileOf)

  test('are square, and of the size that their name or table states', () => {
    for (const [name, { width, height }] of pictures) {
      const said = name.startsWith('icns') ? ICNS_PX[name.slice(5)] : Number(/\d+/.exec(name)?.[0] ?? 1024)
      expect([name, width, height]).toEqual([name, said, said])
    }
    expect(pictures.size).toBe(1 + 9 + 9 + 8)
  })

  test('fill the square, except on macOS, where they have a margin', () => {
    const alpha = (picture: PNG, x: number, y: number) => picture.data[(y * picture.width + x) * 4 + 3]
    const full = pictures.get('icon.png')!
    expect([alpha(full, 0, 512), alpha(full, 0, 0)]).toEqual([255, 0])
    const mac = pictures.get('icns ic10')!
    expect([alpha(mac, 40, 512), alpha(mac, 120, 512)]).toEqual([0, 255])
  })

  test("include the page's own icon, the small drawing of the same source", () => {
    const source = fileOf('icon.svg').toString()
    const small = /<symbol id="small"[^>]*>([\s\S]*?)<\/symbol>/.exec(source)![1]!
    const page = readFileSync(resolve(build, '../renderer/index.html'), 'utf8')
    const paths = [...small.matchAll(/ d="([^"]+)"/g)].map((match) => match[1]!)
    expect(paths.length).toBe(2)
    for (const path of paths) expect(page).toContain(path)
  })

  needs('chromium')('are what the source draws today', async () => {
    const drawn = await makeIcons(tool('chromium')!)
    const fresh = picturesOf((path) => drawn[path]!)
    expect([...fresh.keys()]).toEqual([...pictures.keys()])
    for (const [name, picture] of fresh) {
      const committed = pictures.get(name)!
      const { width, height } = picture
      const different = pixelmatch(committed.data, picture.data, undefined, width, height, { threshold: 0.1 })
      // Another version of Chromium may antialias an edge differently.
      expect([name, different <= width]).toEqual([name, true])
    }
  })
})

test('are indexed correctly by their containers', () => {
  const png = (text: string) => Buffer.from(text)
  expect(
    readIco(
      packIco([
        { px: 16, png: png('small') },
        { px: 256, png: png('larger') },
      ]),
    ),
  ).toEqual([
    { px: 16, png: png('small') },
    { px: 256, png: png('larger') },
  ])
  expect(
    readIcns(
      packIcns([
        { type: 'ic07', png: png('one') },
        { type: 'ic10', png: png('other') },
      ]),
    ),
  ).toEqual([
    { type: 'ic07', png: png('one') },
    { type: 'ic10', png: png('other') },
  ])
})
