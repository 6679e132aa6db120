/** Design of the company's documents: read for drawing, changed by a person. */
import { recordAudit } from '../../platform/audit/index.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { isReadableOnWhite } from '../../domain/contrast.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { normalizeText } from '../../domain/text.ts'
import { orNotFound, inBook } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { prepare } from '../../db/query.ts'
import { FOOTER_LINES } from './limits.ts'
import type { Design, getDesignContract, getLogoContract, setDesignContract } from './contract.ts'
import type { Logo } from './logo.ts'
import { findCompany } from '../rows.ts'
import { booksOfCompany } from '../../platform/books/index.ts'

/** Facts that a document takes from the company besides its tax data. */
export interface DesignFacts {
  accent: string | null
  footer: string | null
  simplifiedFormat: 'a4' | 'ticket'
  paymentQr: boolean
  logo: Logo | null
}

const PLAIN: DesignFacts = {
  accent: null,
  footer: null,
  simplifiedFormat: 'a4',
  paymentQr: true,
  logo: null,
}

const byCompany = prepare((db, p: { companyId: number }) =>
  db.selectFrom('company_designs').selectAll().where('company_id', '=', p.companyId),
)

/** Returns the design of the book's company; the default until one is chosen. */
export async function designOf(ctx: Ctx): Promise<DesignFacts> {
  const row = await byCompany.first(ctx.db, { companyId: ctx.book.companyId })
  if (!row) return PLAIN
  const {
    logo,
    logo_media_type: mediaType,
    logo_width: width,
    logo_height: height,
    logo_sha256: sha256,
  } = row
  return {
    accent: row.accent,
    footer: row.footer,
    simplifiedFormat: row.simplified_format,
    paymentQr: row.payment_qr === 1,
    logo:
      logo && mediaType && width && height && sha256
        ? { bytes: logo, mediaType, width, height, sha256: Buffer.from(sha256) }
        : null,
  }
}

function designView({ accent, footer, simplifiedFormat, paymentQr, logo }: DesignFacts): Design {
  return {
    accent,
    footer,
    simplifiedFormat,
    paymentQr,
    logo: logo && { width: logo.width, height: logo.height, sha256: logo.sha256.toString('hex') },
  }
}

export const getDesign: UseCase<typeof getDesignContract> = async (ctx) => designView(await designOf(ctx))

export const getLogo: UseCase<typeof getLogoContract> = async (ctx) => {
  const { bytes, mediaType, sha256 } = orNotFound((await designOf(ctx)).logo)
  const extension = mediaType === 'image/png' ? 'png' : 'jpg'
  return { bytes, sha256: sha256.toString('hex'), fileName: `logo.${extension}`, mediaType }
}

type Changes = ContractInput<typeof setDesignContract>

/**
 * Reads the logo of the changes; undefined where it does not change. Call it outside any transaction, because another
 * process reads it.
 */
export async function logoOf({ logo }: Changes): Promise<DesignFacts['logo'] | undefined> {
  if (logo === undefined || logo === null) return logo
  const { readLogoInChildProcess } = await import('./logo.ts')
  return readLogoInChildProcess(Buffer.from(logo, 'base64'))
}

/** Returns a design with the changes applied; omitted fields stay. Throws for an unusable colour or footer. */
export function changedDesign(
  design: DesignFacts,
  input: Changes,
  logo: DesignFacts['logo'] | undefined,
): DesignFacts {
  const { accent, simplifiedFormat, paymentQr } = input
  const footer = input.footer === undefined ? design.footer : normalizeText(input.footer ?? '') || null
  const faults: Fault[] = []
  if (accent && !isReadableOnWhite(accent))
    faults.push({
      code: 'accent_unreadable',
      field: 'accent',
      severity: 'error',
      message: 'White letters on that colour, and that colour on white, could not be read.',
      fix: 'Choose a darker one: the contrast must be at least 4.5 to 1.',
    })
  if (footer !== null && footer.split('\n').length > FOOTER_LINES)
    faults.push({
      code: 'too_many_lines',
      field: 'footer',
      severity: 'error',
      message: `At most ${FOOTER_LINES} lines fit at the foot of a page.`,
      params: { max: FOOTER_LINES },
    })
  if (faults.length > 0) throw validationFailed(faults)
  return {
    accent: accent === undefined ? design.accent : (accent?.toUpperCase() ?? null),
    footer,
    simplifiedFormat: simplifiedFormat ?? design.simplifiedFormat,
    paymentQr: paymentQr ?? design.paymentQr,
    logo: logo === undefined ? design.logo : logo,
  }
}

/** Changes the design for both books of the company. */
export const setDesign: UseCase<typeof setDesignContract> = async (ctx, input) => {
  const logo = await logoOf(input)
  return ctx.transaction(async (tx) => {
    const company = await findCompany(tx)
    const design = changedDesign(await designOf(tx), input, logo)
    const columns = {
      accent: design.accent,
      footer: design.footer,
      simplified_format: design.simplifiedFormat,
      payment_qr: design.paymentQr ? 1 : 0,
      logo: design.logo?.bytes ?? null,
      logo_media_type: design.logo?.mediaType ?? null,
      logo_width: design.logo?.width ?? null,
      logo_height: design.logo?.height ?? null,
      logo_sha256: design.logo?.sha256 ?? null,
    }
    await tx.db
      .insertInto('company_designs')
      .values({ company_id: company.id, ...columns })
      .onConflict((conflict) => conflict.column('company_id').doUpdateSet(columns))
      .execute()
    for (const book of await booksOfCompany(tx.db, company.id)) {
      const there = inBook(tx, book)
      await recordAudit(there, {
        action: 'company.redesigned',
        target: { type: 'company', id: company.public_id, label: company.legal_name },
      })
      await emitEvent(there, 'company.changed', { companyId: company.public_id })
    }
    return designView(design)
  })
}
