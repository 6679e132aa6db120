/** Faults of texts in an input that no engine should store, by their place. */
import type { Fault } from '../errors/app-error.ts'
import { unstorablePart } from '../storable-text.ts'

/** The faults that fields of text have for the same. */
const FAULTS = {
  nul: { code: 'control_character', message: 'Must not hold control characters.' },
  surrogate: { code: 'broken_unicode', message: 'Must be well-formed Unicode.' },
} as const

/** More are not listed: the first ones show the mistake. */
const MOST = 20

function collect(value: unknown, field: string, faults: Fault[]): void {
  if (faults.length >= MOST) return
  if (typeof value === 'string') {
    const part = unstorablePart(value)
    if (part === null) return
    faults.push({ ...FAULTS[part], field, severity: 'error' })
  } else if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) collect(each, `${field}[${index}]`, faults)
  } else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    for (const [name, each] of Object.entries(value)) {
      if (unstorablePart(name) !== null) collect(name, field, faults)
      collect(each, field === '' ? name : `${field}.${name}`, faults)
    }
  }
}

/** Returns the faults of an input whose texts contain U+0000 or half of a surrogate pair. */
export function storageFaults(input: unknown): Fault[] {
  const faults: Fault[] = []
  collect(input, '', faults)
  return faults
}
