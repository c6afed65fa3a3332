-- Keeps postings and counts right whichever way chunks come and go, cascades included.
--
-- The functions run as the owner and set the tenant themselves, and put it back: what fires a trigger inside a cascade runs
-- under another role on Postgres 18 than on 17, and the owner is subject to row-level security too. (A `set` clause would put it
-- back by itself, but only a superuser may write one for a parameter that no extension declares.)
-- Plans are made anew for each call, since a plan from a small table would scan the whole of a grown one.

create function loam.add_postings() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  tenant uuid;
  outer_tenant text := coalesce(current_setting('loam.tenant', true), '');
  outer_every_user text := coalesce(current_setting('loam.every_user', true), '');
begin
  perform set_config('loam.every_user', 'on', true);
  for tenant in select distinct i.tenant_id from inserted i loop
    perform set_config('loam.tenant', tenant::text, true);

    insert into loam.postings (tenant_id, chunk_id, scope_id, frequency, length, term)
    select i.tenant_id, i.id, i.scope_id, t.frequency, i.length, t.term
    from inserted i cross join lateral unnest(i.terms, i.frequencies) as t (term, frequency)
    where i.tenant_id = tenant
    order by i.scope_id, t.term collate "C", i.id;

    with arrived as (
      select i.scope_id, i.group_id, i.source, count(*)::int as chunks, sum(i.length) as terms
      from inserted i where i.tenant_id = tenant
      group by i.scope_id, i.group_id, i.source
    ), grown as (
      insert into loam.chunk_groups as g (tenant_id, scope_id, group_id, source, chunk_count, term_count)
      select tenant, a.scope_id, a.group_id, a.source, a.chunks, a.terms from arrived a
      order by a.scope_id, a.group_id
      on conflict (tenant_id, scope_id, group_id) do update
        set chunk_count = g.chunk_count + excluded.chunk_count, term_count = g.term_count + excluded.term_count
      returning g.scope_id, g.group_id, g.chunk_count
    ), totals as (
      select a.scope_id, sum(a.chunks) as chunks, sum(a.terms) as terms,
        count(*) filter (where a.source = 'messages' and w.chunk_count = a.chunks) as sessions,
        coalesce(sum(a.terms) filter (where a.source = 'messages'), 0) as session_terms
      from arrived a join grown w on w.scope_id = a.scope_id and w.group_id = a.group_id
      group by a.scope_id
    )
    update loam.scopes s
    set chunk_count = s.chunk_count + t.chunks, term_count = s.term_count + t.terms,
      session_count = s.session_count + t.sessions, session_term_count = s.session_term_count + t.session_terms
    from totals t where s.tenant_id = tenant and s.scope_id = t.scope_id;
  end loop;
  perform set_config('loam.tenant', outer_tenant, true), set_config('loam.every_user', outer_every_user, true);
  return null;
end
$$;

create function loam.remove_postings() returns trigger language plpgsql security definer
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

    delete from loam.postings p
    using removed r cross join lateral unnest(r.terms) as t (term)
    where r.tenant_id = tenant and p.tenant_id = tenant
      and p.scope_id = r.scope_id and p.term = t.term collate "C" and p.chunk_id = r.id;

    with gone as (
      select r.scope_id, r.group_id, r.source, count(*)::int as chunks, sum(r.length) as terms
      from removed r where r.tenant_id = tenant
      group by r.scope_id, r.group_id, r.source
    ), shrunk as (
      update loam.chunk_groups g
      set chunk_count = g.chunk_count - d.chunks, term_count = g.term_count - d.terms
      from gone d where g.tenant_id = tenant and g.scope_id = d.scope_id and g.group_id = d.group_id
      returning g.scope_id, g.group_id, g.chunk_count
    ), totals as (
      select d.scope_id, sum(d.chunks) as chunks, sum(d.terms) as terms,
        count(*) filter (where d.source = 'messages' and w.chunk_count = 0) as sessions,
        coalesce(sum(d.terms) filter (where d.source = 'messages'), 0) as session_terms
      from gone d join shrunk w on w.scope_id = d.scope_id and w.group_id = d.group_id
      group by d.scope_id
    )
    update loam.scopes s
    set chunk_count = s.chunk_count - t.chunks, term_count = s.term_count - t.terms,
      session_count = s.session_count - t.sessions, session_term_count = s.session_term_count - t.session_terms
    from totals t where s.tenant_id = tenant and s.scope_id = t.scope_id;

    delete from loam.chunk_groups g
    using (select distinct r.scope_id, r.group_id from removed r where r.tenant_id = tenant) d
    where g.tenant_id = tenant and g.scope_id = d.scope_id and g.group_id = d.group_id and g.chunk_count <= 0;
  end loop;
  perform set_config('loam.tenant', outer_tenant, true), set_config('loam.every_user', outer_every_user, true);
  return null;
end
$$;

-- A scope goes with its agent, perhaps before its chunks do.
create function loam.remove_scopes() returns trigger language plpgsql security definer
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
    delete from loam.postings p using removed r
      where r.tenant_id = tenant and p.tenant_id = tenant and p.scope_id = r.scope_id;
    delete from loam.chunk_groups g using removed r
      where r.tenant_id = tenant and g.tenant_id = tenant and g.scope_id = r.scope_id;
  end loop;
  perform set_config('loam.tenant', outer_tenant, true), set_config('loam.every_user', outer_every_user, true);
  return null;
end
$$;

create trigger add_postings after insert on loam.chunks
  referencing new table as inserted for each statement execute function loam.add_postings();
create trigger remove_postings after delete on loam.chunks
  referencing old table as removed for each statement execute function loam.remove_postings();
create trigger remove_scopes after delete on loam.scopes
  referencing old table as removed for each statement execute function loam.remove_scopes();
