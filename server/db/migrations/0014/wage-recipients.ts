/** Who was paid wages in a year, as people type it for model 190: Sello keeps no payroll. */
export const wageRecipients = `
create table wage_recipients (
  book_id integer not null references books,
  year integer not null check (year between 2000 and 2999),
  position integer not null check (position >= 0),
  nif text not null,
  name text not null,
  -- Key and subkey of the perception, as model 190 has them.
  key text not null check (length(key) = 1),
  subkey text check (length(subkey) = 2),
  province text check (length(province) = 2),
  paid_cents integer not null,
  withheld_cents integer not null,
  in_kind_cents integer not null,
  in_kind_withheld_cents integer not null,
  primary key (book_id, year, position)
) strict, without rowid;
create index wage_recipients_by_nif on wage_recipients (book_id, nif);
`
