/**
 * The activities of model 131 as a person typed them: what stands against them, and their pages. Source: design of record
 * DR131_2026 (pages 01000 and DPA00).
 */
import type { Fault } from '../../../domain/errors/app-error.ts'
import { percentOf } from '../../../domain/money.ts'
import type { Layout, LayoutField } from '../files/layout.ts'
import type { FileRecord } from '../files/file.ts'
import { ACTIVITIES_131, MODULE_KEYS } from '../models/typed/model-131.ts'
import { fault } from './checks/fault.ts'
import type { Boxes } from './closing.ts'

const PAGE = 'DPA00'
const NUMBERS = Array.from({ length: ACTIVITIES_131 }, (_, at) => at + 1)
/** Headings of the tax on economic activities have three or four digits. */
const FIRST_HEADING = 100
const LAST_HEADING = 9999

const valueOf = (boxes: Boxes, key: string): number => boxes[key] ?? 0
const isTyped = (boxes: Boxes, n: number): boolean =>
  ['iae', 'yield', 'share', 'part'].some((key) => valueOf(boxes, `${key}${n}`) !== 0)

function faultsOfActivity(boxes: Boxes, n: number): Fault[] {
  if (!isTyped(boxes, n)) return []
  const heading = valueOf(boxes, `iae${n}`)
  const faults: Fault[] = []
  if (heading < FIRST_HEADING || heading > LAST_HEADING)
    faults.push(
      fault(
        'activity_heading_missing',
        `boxes.iae${n}`,
        `Activity ${n} has no heading of three or four digits.`,
        'Type its heading in the tax on economic activities, without the point.',
        { activity: n },
      ),
    )
  else if (MODULE_KEYS.every((key) => valueOf(boxes, `a${n}.${key}`) === 0))
    faults.push(
      fault(
        'activity_modules_missing',
        `boxes.a${n}.units1`,
        `The modules of activity ${n} are not typed, and the form has a page for them.`,
        'Type its modules below its heading.',
        { activity: n },
      ),
    )
  const part = percentOf(valueOf(boxes, `yield${n}`), valueOf(boxes, `share${n}`))
  if (Math.abs(part - valueOf(boxes, `part${n}`)) > 1)
    faults.push({
      ...fault(
        'activity_part_differs',
        `boxes.part${n}`,
        `The result of activity ${n} is not its net yield by the percentage.`,
        'Look at it: it may be right where a deduction applies.',
        { activity: n, value: valueOf(boxes, `part${n}`) / 100, expected: part / 100 },
      ),
      severity: 'warning',
    })
  return faults
}

/** Returns what the activities lack, each named by its number. */
export function faultsOfActivities(boxes: Boxes): Fault[] {
  return NUMBERS.flatMap((n) => faultsOfActivity(boxes, n))
}

/** Returns the page of the modules of each activity; all but the first are additional pages. */
export function activityPages(
  layout: Layout,
  boxes: Boxes,
  valuesOf: (fields: readonly LayoutField[], boxes: Boxes) => FileRecord['values'],
): FileRecord[] {
  return NUMBERS.filter((n) => isTyped(boxes, n)).map((n, at) => {
    const own = Object.fromEntries(MODULE_KEYS.map((key) => [key, valueOf(boxes, `a${n}.${key}`)]))
    const values = valuesOf(layout.records[PAGE] ?? [], { ...own, iae: valueOf(boxes, `iae${n}`) })
    return { record: PAGE, values: at === 0 ? values : { ...values, additionalPage: 'C' } }
  })
}
