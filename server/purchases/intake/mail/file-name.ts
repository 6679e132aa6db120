/** Names of files that others sent. Pure. */
import { sanitizeLine } from '../../../domain/text.ts'

export const LONGEST_NAME = 160

/** Returns a file name without a path, control characters or more than 160 characters. */
export function fileNameOf(name: string | null, instead: string): string {
  const last =
    sanitizeLine(name ?? '')
      .split(/[\\/]/)
      .at(-1) ?? ''
  const plain = last.replace(/^[.\s]+/, '').trim()
  if (plain === '') return instead
  if (plain.length <= LONGEST_NAME) return plain
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? ''
  return plain.slice(0, LONGEST_NAME - ending.length) + ending
}
