/** Writes pictures as PNG of one bit and as JPEG. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { crc32, deflateSync } from 'node:zlib'
import encode, { init } from '@jsquash/jpeg/encode.js'
import type { Grey } from '../../../../server/purchases/intake/pictures/grey.ts'
import type { Raster } from './raster.ts'

function chunk(type: string, body: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(body.length, 0)
  ends.writeUInt32BE(crc32(typed), 4)
  return Buffer.concat([ends.subarray(0, 4), typed, ends.subarray(4)])
}

/** Returns a PNG of one bit a pixel: white from that level on (PNG 3rd edition, section 11). */
export function bitPng({ width, height, data }: Grey, level: number, dpi: number): Buffer {
  const stride = Math.ceil(width / 8) + 1
  const rows = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (data[y * width + x]! >= level) rows[y * stride + 1 + (x >> 3)]! |= 128 >> (x & 7)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([1, 0, 0, 0, 0], 8)
  const resolution = Buffer.alloc(9)
  resolution.writeUInt32BE(Math.round(dpi / 0.0254), 0)
  resolution.writeUInt32BE(Math.round(dpi / 0.0254), 4)
  resolution[8] = 1
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', head),
    chunk('pHYs', resolution),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array()),
  ])
}

/** The encoder's memory stays for all pictures of a corpus. */
let started: Promise<void> | undefined

/** Returns a JPEG of that quality; one component if the picture is grey. */
export async function jpeg(picture: Raster | Grey, quality: number): Promise<Buffer> {
  const { width, height, data } = picture
  const wasmFile = createRequire(import.meta.url).resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm')
  started ??= init({ wasmBinary: new Uint8Array(readFileSync(wasmFile)).buffer } as never)
  await started
  const isGrey = data.length === width * height
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let at = 0, from = 0; at < rgba.length; at += 4)
    for (let channel = 0; channel < 3; channel++) rgba[at + channel] = data[isGrey ? at >> 2 : from++]!
  const image = { data: rgba, width, height, colorSpace: 'srgb' } as unknown as ImageData
  return Buffer.from(
    await encode(image, { quality, baseline: true, progressive: false, color_space: isGrey ? 1 : 3 }),
  )
}
