/** Takes an inspection pack apart and reassembles it, as an attacker would to change it. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { sha256Hex } from '../../../server/domain/sha256.ts'
import { sealedText } from '../../../server/app/inspection/format.ts'
import type { Manifest } from '../../../server/app/inspection/format.ts'

export type PackFiles = Record<string, Uint8Array>

/** Returns all bytes of a stream. */
export async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}

export const unpacked = (zip: Uint8Array): PackFiles => unzipSync(zip)
export const textOf = (files: PackFiles, path: string): string => strFromU8(files[path] ?? new Uint8Array())
export const manifestOf = (files: PackFiles): Manifest =>
  JSON.parse(textOf(files, 'manifest.json')) as Manifest

/** Replaces a file's text. Fails if that changes nothing, so that no test checks an unchanged pack. */
export function edit(files: PackFiles, path: string, change: (text: string) => string): PackFiles {
  const before = textOf(files, path)
  const after = change(before)
  if (after === before) throw new Error(`${path} was not changed.`)
  return { ...files, [path]: strToU8(after) }
}

/** Returns the pack with a new manifest over its content, as by an expert attacker. */
export function resealed(files: PackFiles): PackFiles {
  const { seal: _, ...manifest } = manifestOf(files)
  const rest = {
    ...manifest,
    files: manifest.files
      .filter(({ path }) => files[path])
      .map(({ path }) => ({
        path,
        bytes: files[path]!.byteLength,
        sha256: sha256Hex(files[path]!),
      })),
  }
  return {
    ...files,
    'manifest.json': strToU8(JSON.stringify({ ...rest, seal: sha256Hex(sealedText(rest)) })),
  }
}

export const packed = (files: PackFiles): Uint8Array => zipSync(files)
