/** First answer to an assistant: the company, and the contacts, items and documents that the user's words match. */
import { currentCompany } from '../../company/index.ts'
import { listContacts } from '../../catalog/contacts/index.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import type { currentCompanyContract } from '../../company/contract.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { listIncoming } from '../../purchases/incoming/index.ts'
import { listItems } from '../../catalog/items/index.ts'

/** With more matches than this of a kind, the words identify nothing. */
const AT_MOST = 5

type Found = NonNullable<ContractOutput<typeof currentCompanyContract>['found']>

/** Returns true when the key may read the documents that name contacts and items. */
const mayRead = ({ actor }: Ctx): boolean => actor.kind !== 'key' || actor.scopes.includes('invoices.read')

async function find(ctx: Ctx, text: string): Promise<Found> {
  const [contacts, items, documents] = await Promise.all([
    listContacts(ctx, { text, limit: AT_MOST }),
    listItems(ctx, { text, active: true, limit: AT_MOST }),
    listIncoming(ctx, { text, limit: AT_MOST }),
  ])
  return {
    contacts: contacts.items.map(({ id, name, nif }) => ({ id, name, nif: nif ?? null })),
    items: items.items.map(({ id, name, unitPrice }) => ({ id, name, unitPrice })),
    documents: documents.items.map(({ id, name, supplierName, total }) => ({
      id,
      name: supplierName ?? name,
      total,
    })),
    untrusted: true,
  }
}

/** Returns the active company; with `find` also the contacts, items and incoming documents with these words. */
export const getContext: UseCase<typeof currentCompanyContract> = async (ctx, { find: text }) => {
  const company = await currentCompany(ctx, {})
  return text === undefined || !mayRead(ctx) ? company : { ...company, found: await find(ctx, text) }
}
