/** What a key was given is sealed with it, so that a change past the program shows. Keys made before are sealed at the next start. */

export const keySeals = `
alter table api_keys add column facts_seal text;
insert into settings (name, value) select 'keys_unsealed', 'true' where exists (select 1 from api_keys);
`
