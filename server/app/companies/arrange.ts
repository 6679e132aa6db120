/** What a person changes in the list of companies: their own order, and the mark that all see. */
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { booksOfCompany } from '../../platform/books/index.ts'
import { findCompany } from '../../company/index.ts'
import { inBook } from '../../context.ts'
import type { UseCase } from '../../context.ts'
import { companyColour, companyMark } from '../../domain/company-mark.ts'
import type { setFavouriteContract, setGroupContract, setMarkContract } from './contract.ts'
import { changePersonal } from '../preferences/index.ts'
import { arrange, groupsOf } from './personal.ts'
import { companyToOpen } from './rows.ts'

/** Adds a company to the caller's favourites, or removes it. */
export const setFavourite: UseCase<typeof setFavouriteContract> = (ctx, { companyId, favourite }) =>
  changePersonal(ctx, async (tx) => {
    if (favourite) await companyToOpen(tx, companyId)
    await arrange(tx, ({ favourites }) => {
      const others = favourites.filter((each) => each !== companyId)
      return { favourites: favourite ? [...others, companyId] : others }
    })
    return { favourite }
  })

/** Puts companies into a group of the caller. */
export const setGroup: UseCase<typeof setGroupContract> = (ctx, { companyIds, group }) =>
  changePersonal(ctx, async (tx) => {
    for (const companyId of companyIds) await companyToOpen(tx, companyId)
    const after = await arrange(tx, ({ groups }) => {
      const others = Object.entries(groups).filter(([companyId]) => !companyIds.includes(companyId))
      const added = group === null ? [] : companyIds.map((companyId) => [companyId, group] as const)
      return { groups: Object.fromEntries([...others, ...added]) }
    })
    return { groups: groupsOf(after) }
  })

/** Sets colour and letters of the company. */
export const setMark: UseCase<typeof setMarkContract> = (ctx, { colour, mark }) =>
  ctx.transaction(async (tx) => {
    const company = await findCompany(tx)
    const letters = mark === null ? null : mark.toUpperCase()
    await tx.db
      .updateTable('companies')
      .set({ colour, mark: letters, version: company.version + 1 })
      .where('id', '=', company.id)
      .execute()
    for (const book of await booksOfCompany(tx.db, company.id)) {
      const there = inBook(tx, book)
      await recordAudit(there, {
        action: 'company.updated',
        target: { type: 'company', id: company.public_id, label: company.legal_name },
      })
      await emitEvent(there, 'company.changed', { companyId: company.public_id })
    }
    return {
      colour: companyColour(company.public_id, colour),
      mark: companyMark(company.trade_name ?? company.legal_name, letters),
    }
  })
