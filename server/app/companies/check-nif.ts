/** What public registers say of the NIF of a company that is to be added. Nothing of it is stored. */
import { censusOfCompany, viesOfInstallation } from '../../catalog/lookups/index.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { checkNif } from '../../domain/tax/nif.ts'
import { searchText } from '../../domain/text.ts'
import { booksOfCompany, loadBook } from '../../platform/books/index.ts'
import { inBook } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { checkNewNifContract } from './contract.ts'
import { mayOpen } from './rows.ts'

type Answer = ContractOutput<typeof checkNewNifContract>

/** Legal forms and small words, which registers write in several ways. */
const FORMS = /\b(sociedad|limitada|anonima|unipersonal|laboral|cooperativa|slu?|slp|sau?|sll|scoop|cb)\b/g

/** Reduces a name to what has to agree in two registers. */
function nameKey(name: string): string {
  return searchText(name)
    .replace(/\./g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(FORMS, ' ')
    .split(' ')
    .filter(Boolean)
    .toSorted()
    .join(' ')
}

/** Reads `CALLE MAYOR 1, 28013 MADRID` or the same in lines; what is not recognized stays out. */
export function partsOfAddress(text: string | null): Answer['vies']['address'] {
  if (text === null) return null
  const lines = text
    .split(/\n|,\s*(?=\d{5}\b)/)
    .map((each) => each.replace(/\s+/g, ' ').replace(/,$/, '').trim())
    .filter(Boolean)
  const at = lines.findIndex((each) => /^\d{5}\b/.test(each))
  if (at < 0) return lines.length === 0 ? null : { street: lines.join(', ').slice(0, 120) }
  const [, postalCode = '', city = ''] = /^(\d{5})\b[\s-]*(.*)$/.exec(lines[at] ?? '') ?? []
  const street = lines.slice(0, at).join(', ')
  const province = lines[at + 1] ?? ''
  return {
    ...(street ? { street: street.slice(0, 120) } : {}),
    postalCode,
    ...(city ? { city: city.slice(0, 80) } : {}),
    ...(province ? { province: province.slice(0, 80) } : {}),
  }
}

/** Returns the number and its company if the installation has it; `bookId` is null for one that the caller may not open. */
async function existingWith(ctx: Ctx, nif: string): Promise<Answer['existing']> {
  const row = await ctx.db
    .selectFrom('companies')
    .select(['id', 'public_id as companyId', 'legal_name', 'trade_name'])
    .where('nif', '=', nif)
    .executeTakeFirst()
  if (!row) return null
  const may = await mayOpen(ctx)
  // Whoever may not open it learns no more than adding it would say.
  if (may !== null && !may.includes(row.id)) return { companyId: '', name: '', bookId: null }
  const books = await booksOfCompany(ctx.db, row.id)
  const book = books.find(({ mode }) => mode === 'live') ?? books[0]
  return { companyId: row.companyId, name: row.trade_name ?? row.legal_name, bookId: book?.publicId ?? null }
}

async function askCensus(
  ctx: Ctx,
  { nif, name, bookId }: { nif: string; name: string; bookId: string | undefined },
): Promise<Answer['census']> {
  const notAsked = { state: 'not_asked', name: null } as const
  const book = bookId === undefined ? null : await loadBook(ctx.db, bookId)
  const may = await mayOpen(ctx)
  if (!book || (may !== null && !may.includes(book.companyId))) return notAsked
  const live = (await booksOfCompany(ctx.db, book.companyId)).find(({ mode }) => mode === 'live')
  if (!live) return notAsked
  const census = await censusOfCompany(inBook(ctx, live))
  if (!census) return notAsked
  try {
    const { result, name: found } = await census.check(nif, name)
    return { state: result, name: found }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { state: 'unavailable', name: null }
  }
}

async function askVies(ctx: Ctx, nif: string): Promise<Answer['vies']> {
  try {
    const answer = await viesOfInstallation(ctx.env).check({ prefix: 'ES', number: nif }, null)
    if (!answer.valid) return { state: 'unknown', name: null, address: null }
    return { state: 'valid', name: answer.name, address: partsOfAddress(answer.address) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { state: 'unavailable', name: null, address: null }
  }
}

/**
 * Asks the census, with the certificate of a company that is here already, and VIES. A source that is not available says
 * so and stops nothing. A number that the installation has is not asked for.
 */
export const checkNewNif: UseCase<typeof checkNewNifContract> = async (
  ctx,
  { nif: written, name, bookId },
) => {
  const check = checkNif(written)
  if (!check.ok && check.kind !== 'entity')
    throw validationFailed([
      {
        code: 'nif_invalid',
        field: 'nif',
        severity: 'error',
        message:
          check.reason === 'shape'
            ? 'That is not a Spanish tax number.'
            : 'The letter of the NIF does not match its digits.',
        fix: 'Check it against the census certificate.',
        params: { nif: check.nif, ...(check.expected ? { expected: check.expected } : {}) },
      },
    ])
  const { nif } = check
  const existing = await existingWith(ctx, nif)
  const notAsked: Pick<Answer, 'census' | 'vies'> = {
    census: { state: 'not_asked', name: null },
    vies: { state: 'unavailable', name: null, address: null },
  }
  const [census, vies] = existing
    ? [notAsked.census, notAsked.vies]
    : await Promise.all([askCensus(ctx, { nif, name: name ?? '', bookId }), askVies(ctx, nif)])
  const known = census.name ?? vies.name
  return {
    nif,
    existing,
    census,
    vies,
    nameDiffers: name !== undefined && known !== null && nameKey(name) !== nameKey(known),
    simulated: ctx.env.sandbox,
  }
}
