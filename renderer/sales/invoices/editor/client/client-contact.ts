/** Comparison of the customer's data in a document with the contact they came from. Pure. */
import type { InputOf } from '../../../../../server/api/contracts.ts'
import { clientOf } from '../draft.ts'
import type { ClientForm, Contact } from '../draft.ts'

type ContactChanges = Omit<InputOf<'contacts.update'>, 'id' | 'expectedVersion'>

/** Address fields of a form. */
const ADDRESS = ['street', 'postalCode', 'city', 'province'] as const

/** Returns whether an address is incomplete: it can be neither printed nor saved. */
export function isHalfAddress(client: Pick<ClientForm, (typeof ADDRESS)[number]>): boolean {
  const needed = [client.street, client.postalCode, client.city].filter((part) => part.trim() !== '').length
  return needed < 3 && (needed > 0 || client.province.trim() !== '')
}

/** Returns the typed address as the server takes it, or null if it is not complete. */
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

/** Returns the input for a new contact with everything that was typed about the customer. */
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
 * Returns the changes that make the contact match the document, or null if there are none. An incomplete address and
 * the name are left out: another name in a document means another customer.
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
