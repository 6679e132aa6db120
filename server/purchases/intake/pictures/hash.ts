/** Hash of a picture by which another picture of the same paper is found. Pure. */
import { resized } from './grey.ts'
import type { Grey } from './grey.ts'

/** Eight differences in each of eight rows. */
const SIDE = 8

/**
 * Returns the difference hash of a picture: whether each part of a small copy is darker than its right neighbour, as 16
 * hexadecimal digits. Pictures of one paper differ in few of the 64 bits.
 */
export function pictureHash(picture: Grey): string {
  // Two steps: one reduction to so few pixels would look only at some of them.
  const middle = resized(picture, SIDE * 36, SIDE * 32)
  const small = resized(middle, SIDE + 1, SIDE)
  let hash = 0n
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const at = y * (SIDE + 1) + x
      hash = (hash << 1n) | (small.data[at]! < small.data[at + 1]! ? 1n : 0n)
    }
  return hash.toString(16).padStart(16, '0')
}
