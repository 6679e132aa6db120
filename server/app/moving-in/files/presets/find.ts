/** Finds the layout of a program by its titles. Pure. */
import type { Mapping } from '../lists/mapping.ts'
import { foldedTitle } from '../titles.ts'
import { CLOUD } from './cloud.ts'
import { DESKTOP } from './desktop.ts'
import { INTERNATIONAL } from './international.ts'
import type { Preset } from './preset.ts'

export const PRESETS: readonly Preset[] = [...INTERNATIONAL, ...DESKTOP, ...CLOUD]

const names = (alternatives: string): string[] => alternatives.split('|').filter(Boolean).map(foldedTitle)

export const presetOf = (id: string | null): Preset | null =>
  PRESETS.find((preset) => preset.id === id) ?? null

/** Returns the presets whose titles a table has, those with the most titles first. */
export function presetsFor(titles: readonly string[]): Preset[] {
  const folded = new Set(titles.map(foldedTitle))
  return PRESETS.filter(({ needs }) =>
    needs.every((each) => names(each).some((name) => folded.has(name))),
  ).sort((a, b) => b.needs.length - a.needs.length)
}

/** Returns the columns of a preset's fields. */
export function presetMapping({ fields }: Preset, titles: readonly string[]): Mapping {
  const folded = titles.map(foldedTitle)
  const mapping: Mapping = {}
  for (const [name, alternatives] of Object.entries(fields))
    for (const title of names(alternatives)) {
      const at = folded.indexOf(title)
      if (at < 0) continue
      mapping[name] = at
      break
    }
  return mapping
}
