/** Text size of the window: lists that measure pixels themselves follow the preference with this factor. */
import { computed } from 'vue'
import type { ComputedRef } from 'vue'
import { useSessionStore } from '../../stores/session.ts'

/** The same factors as `html[data-text-size]` in styles/main.css. */
const SCALES = { normal: 1, large: 1.125, larger: 1.25 } as const
const ROOT_PX = 16

/** Returns the factor by which text is larger than normal. */
export function useTextScale(): ComputedRef<number> {
  const session = useSessionStore()
  return computed(() => SCALES[session.preferences?.textSize ?? 'normal'])
}

/** Returns a grid track with its pixels in rem: `minmax(160px, 1fr)` becomes `minmax(10rem, 1fr)`. */
export function inRem(track: string): string {
  return track.replace(/(\d+(?:\.\d+)?)px/g, (_match, pixels: string) => `${Number(pixels) / ROOT_PX}rem`)
}
