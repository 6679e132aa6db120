/** Merge of two changes of one draft, or of the content of a quote. Pure. */
import { mergeForms } from '../../../../components/merge/three-way.ts'
import type { Merge, MergeSpec, Side } from '../../../../components/merge/three-way.ts'
import { usualRegime } from '../../../../../server/domain/tax/totals.ts'
import { savableLines, totalsLineOf } from '../draft.ts'
import type { ClientForm, DraftForm, LineForm } from '../draft.ts'
import { HEADER } from '../header-form.ts'

/** Merged as one value each; a customer is whole, so that no name stands beside another one's number. */
const FIELDS = [
  'client',
  'kind',
  'series',
  'issueDate',
  ...Object.keys(HEADER),
  'instalments',
  'withholdingBp',
  'priceMode',
  'discountBp',
  'discountCents',
  'currency',
  'fxMicro',
  'fxDate',
  'fxSource',
  'property',
  'rectification',
] as readonly (keyof DraftForm & string)[]

/** Returns a value with its texts trimmed, as the server stores them. */
function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(trimmed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, trimmed(one)]))
}

function contentOf(value: unknown, field: string): unknown {
  if (field === 'client') {
    // Defaults for new lines are the contact's, not the draft's.
    const { surcharge: _surcharge, vatDefault: _default, ...client } = value as ClientForm
    return trimmed(client)
  }
  if (field === 'lines') {
    // As the server stores it: what the page leaves to the server is written out there.
    const {
      key: _key,
      open: _open,
      surchargeBp,
      regimeKey,
      discountBp,
      vatRateBp,
      ...line
    } = value as LineForm
    return trimmed({
      ...line,
      surcharge: surchargeBp || null,
      regime: regimeKey ?? usualRegime(line.taxTreatment),
      discount: discountBp ?? 0,
      vatRate: totalsLineOf(value as LineForm).vatRateBp === null ? null : vatRateBp,
    })
  }
  return trimmed(value)
}

const SPEC = {
  fields: FIELDS,
  rows: ['lines'] as const,
  contentOf,
  // The row stays the one in which somebody may be typing.
  withIdentity: (theirs: unknown, mine: unknown) => ({
    ...(theirs as LineForm),
    key: (mine as LineForm).key,
    open: (mine as LineForm).open,
  }),
} satisfies MergeSpec<DraftForm>

/** `before` is the form of this page when it was last what the server holds, and `theirsBefore` the server's of it. */
type DraftVersions<Form> = Record<'before' | 'mine' | 'theirs', Form> & { theirsBefore?: Form }

/**
 * Merges drafts; `more` names fields that a form has besides. Lines without a description, which are on the page alone,
 * stay at the end.
 */
export function mergeDrafts<Form extends DraftForm>(
  { before, theirsBefore, mine, theirs }: DraftVersions<Form>,
  more: readonly (keyof Form & string)[] = [],
): Merge<Form> {
  const sent = (form: Form): Form => ({ ...form, lines: savableLines(form) })
  const merge = mergeForms<Form>(
    {
      before: sent(before),
      mine: sent(mine),
      theirs: sent(theirs),
      ...(theirsBefore ? { theirsBefore: sent(theirsBefore) } : {}),
    },
    { ...SPEC, fields: [...SPEC.fields, ...more] },
  )
  const onPageAlone = mine.lines.filter((line) => line.description.trim() === '')
  return {
    ...merge,
    build(choices?: ReadonlyMap<string, Side>) {
      const built = merge.build(choices)
      return {
        ...built,
        lines: [...built.lines, ...onPageAlone],
        dueDays: built.dueDate === mine.dueDate ? mine.dueDays : null,
      }
    },
  }
}
