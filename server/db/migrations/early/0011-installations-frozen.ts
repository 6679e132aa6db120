/** An installation number is history once it is written: where its chain began says which record may follow nothing. */
export const installationsFrozen = `
create trigger registry_installations_frozen before update on registry_installations
  begin select raise(abort, 'frozen: registry_installations'); end;
`
