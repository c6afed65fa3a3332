-- What a scope holds is kept in the memory of processes that search it, and compared by revision. A number is drawn from a
-- sequence, and so never stands for two states, whatever is undone; and it is drawn while the scope's row is locked, so
-- that within a scope later numbers are committed later.
create sequence loam.scope_revisions;

alter table loam.scopes
  add column revision bigint not null default 0,
  -- The revision at which something was last removed.
  add column removed_revision bigint not null default 0;
alter table loam.chunks add column revision bigint not null default 0;
alter table loam.chunk_vectors add column revision bigint not null default 0;

drop index loam.chunks_by_scope;
create index chunks_by_scope on loam.chunks (tenant_id, scope_id, revision);
create index chunk_vectors_by_revision on loam.chunk_vectors (tenant_id, space_id, scope_id, revision);

create function loam.mark_removal() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  tenant uuid;
  outer_tenant text := coalesce(current_setting('loam.tenant', true), '');
  outer_every_user text := coalesce(current_setting('loam.every_user', true), '');
begin
  perform set_config('loam.every_user', 'on', true);
  for tenant in select distinct r.tenant_id from removed r loop
    perform set_config('loam.tenant', tenant::text, true);
    -- One expression for both columns would draw two numbers; of the two, the later counts as the scope's.
    update loam.scopes s
    set removed_revision = nextval('loam.scope_revisions'), revision = nextval('loam.scope_revisions')
    where s.tenant_id = tenant and s.scope_id in (select r.scope_id from removed r where r.tenant_id = tenant);
  end loop;
  perform set_config('loam.tenant', outer_tenant, true), set_config('loam.every_user', outer_every_user, true);
  return null;
end
$$;
create trigger mark_removal after delete on loam.chunks
  referencing old table as removed for each statement execute function loam.mark_removal();

grant update (revision) on loam.scopes to loam_app;
grant usage on sequence loam.scope_revisions to loam_app;
