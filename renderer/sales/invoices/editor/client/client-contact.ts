/** Compares the customer's data of a document with the contact they came from. Pure. */
import type { InputOf } from '../../../../../server/api/contracts.ts'
import { clientOf } from '../draft.ts'
import type { ClientForm, Contact } from '../draft.ts'

type ContactChanges = Omit<InputOf<'contacts.update'>, 'id' | 'expectedVersion'>

/** Fields of an address in a form. */
const ADDRESS = ['street', 'postalCode', 'city', 'province'] as const

/** Returns whether an address was begun and not finished: it can neither be printed nor saved. */
export function isHalfAddress(client: Pick<ClientForm, (typeof ADDRESS)[number]>): boolean {
  const needed = [client.street, client.postalCode, client.city].filter((part) => part.trim() !== '').length
  return needed < 3 && (needed > 0 || client.province.trim() !== '')
}

/** The typed address as the server takes it; null without a complete one. */
function addressInput(client: ClientForm): NonNullable<ContactChanges['address']> | null {
  const [street, postalCode, city, province] = ADDRESS.map((name) => client[name].trim()) as [
    string,
    string,
    string,
    string,
  ]
  if (!street || !postalCode || !city) return null
  return { street, postalCode, city, ...(province ? { province } : {}), country: client.country }
}

/** A new contact with everything that was typed of the customer. */
export function newContactInput(client: ClientForm): InputOf<'contacts.create'> {
  const address = addressInput(client)
  const nif = client.nif.trim()
  const email = client.email.trim()
  return {
    name: client.name.trim(),
    ...(nif ? { nif } : {}),
    ...(client.idType ? { idType: client.idType } : {}),
    ...(address ? { address } : {}),
    ...(email ? { email } : {}),
  }
}

/**
 * What the contact lacks or says differently from the document; null when nothing. An unfinished address and the name are
 * left out: a name typed in a document means another customer.
 */
export function contactChanges(client: ClientForm, contact: Contact): ContactChanges | null {
  const before = clientOf(contact)
  const differs = (name: 'nif' | 'idType' | 'country' | 'email' | (typeof ADDRESS)[number]): boolean =>
    client[name].trim() !== before[name]
  const address = addressInput(client)
  const isAddressChanged = address
    ? differs('country') || ADDRESS.some(differs)
    : contact.address !== null && !isHalfAddress(client)
  const changes: ContactChanges = {
    ...(differs('nif') ? { nif: client.nif.trim() || null } : {}),
    ...(differs('idType') ? { idType: client.idType || null } : {}),
    ...(isAddressChanged ? { address } : {}),
    ...(differs('email') ? { email: client.email.trim() || null } : {}),
  }
  return Object.keys(changes).length > 0 ? changes : null
}
