/** What a complete pass through an accounting system did not see is found without reading what it saw. */
export const erpUnseen = `
create index erp_contacts_unseen on erp_contacts (connection_id, seen_pass) where missing_since is null;
create index erp_documents_unseen on erp_documents (connection_id, side, seen_pass) where missing_since is null;
create index erp_items_unseen on erp_items (connection_id, seen_pass) where missing_since is null;
`
