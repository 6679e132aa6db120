/** Goods or services: of each line and item, for registries that list them apart. */
export const supplies = `
-- Null where nobody has said it; only some registries ask, and only for customers abroad.
alter table invoice_lines add column supply text check (supply in ('goods', 'services'));
alter table items add column supply text check (supply in ('goods', 'services'));
`
