/** Keeps the customer that an amendment named: books, returns and lists count the invoice under it, its paper stays as issued. */
export const amendedParties = `
create table amended_parties (
  invoice_id integer primary key references invoices,
  party_id integer not null references parties
) strict;
create index amended_parties_by_party on amended_parties (party_id);
`
