/** Domains of the mock Odoo: conditions in prefix notation, evaluated for one row as in version 19. */

/** Returns the value of a row's field: a link as its number. */
type FieldReader = (field: string) => unknown

type Judge = (read: FieldReader) => boolean

/** Returns null for an invalid domain. */
export function judgeOf(domain: unknown): Judge | null {
  if (!Array.isArray(domain)) return null
  const rest = [...(domain as unknown[])]
  const judges: Judge[] = []
  while (rest.length > 0) {
    const judge = next(rest)
    if (!judge) return null
    judges.push(judge)
  }
  return (read) => judges.every((judge) => judge(read))
}

function next(rest: unknown[]): Judge | null {
  const term = rest.shift()
  if (term === '|' || term === '&') {
    const [first, second] = [next(rest), next(rest)]
    if (!first || !second) return null
    return term === '|' ? (read) => first(read) || second(read) : (read) => first(read) && second(read)
  }
  if (!Array.isArray(term) || term.length !== 3) return null
  const [field, operator, value] = term as unknown[]
  if (typeof field !== 'string') return null
  return conditionOf(field, operator, value)
}

function conditionOf(field: string, operator: unknown, value: unknown): Judge | null {
  const isOne = Array.isArray(value)
    ? (found: unknown) => value.includes(found)
    : (found: unknown) => found === value
  if (operator === '=') return (read) => isOne(shown(read(field)))
  if (operator === '!=') return (read) => !isOne(shown(read(field)))
  if (operator === 'in') return (read) => isOne(shown(read(field)))
  if (operator === 'not in') return (read) => !isOne(shown(read(field)))
  const compare = { '>': isAfter, '<': isBefore, '>=': isNotBefore, '<=': isNotAfter }[String(operator)]
  if (!compare) return null
  // A missing value is neither greater nor less than anything.
  return (read) => {
    const found = shown(read(field))
    return found !== false && compare(found as never, value as never)
  }
}

const isAfter = (a: number, b: number): boolean => a > b
const isBefore = (a: number, b: number): boolean => a < b
const isNotBefore = (a: number, b: number): boolean => a >= b
const isNotAfter = (a: number, b: number): boolean => a <= b

/** Times are compared by the second, although they are stored with microseconds. */
function shown(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\.\d+$/, '$1') : value
}
