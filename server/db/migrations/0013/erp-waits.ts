/** Until when an accounting system said that nothing may be asked of it. */
export const erpWaits = `
alter table erp_connections add column wait_until integer;
`
