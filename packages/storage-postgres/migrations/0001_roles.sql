-- The two roles under which all work is done. They own nothing and cannot log in; the login sets one of them for each
-- transaction. Roles belong to the whole cluster, so another database may have made them, perhaps at this very moment.
do $$
declare
  name text;
  -- Postgres 16 tells being a member from being allowed to act as one.
  privilege text := case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end;
begin
  foreach name in array array['loam_app', 'loam_system'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = name) then
      begin
        execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
    if not pg_catalog.pg_has_role(current_user, name, privilege) then
      execute format('grant %I to %I', name, current_user);
    end if;
  end loop;
end
$$;

grant usage on schema loam to loam_app, loam_system;
grant select on loam.migrations to loam_app, loam_system;

create extension if not exists vector;

-- Whose rows the present transaction may touch. Policies call these inside a sub-select, which is evaluated once for a
-- query; called directly they would be evaluated for each row.
create function loam.tenant_of_work() returns uuid language sql stable parallel safe
  return nullif(current_setting('loam.tenant', true), '')::uuid;
create function loam.user_of_work() returns text language sql stable parallel safe
  return current_setting('loam.user', true);
create function loam.is_for_every_user() returns boolean language sql stable parallel safe
  return coalesce(current_setting('loam.every_user', true), '') = 'on';
