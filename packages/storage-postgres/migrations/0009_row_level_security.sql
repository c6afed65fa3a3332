-- Without a tenant there are no rows; an empty user never means all users. The policies hold for every role, the owner included.
do $$
declare
  name text;
begin
  foreach name in array array[
    'tenants', 'api_keys', 'agents', 'sessions', 'messages', 'runs', 'episodes', 'documents', 'scopes', 'chunks',
    'postings', 'chunk_groups', 'chunk_vectors', 'events', 'deliveries', 'model_calls'
  ] loop
    execute format('alter table loam.%I enable row level security', name);
    execute format('alter table loam.%I force row level security', name);
  end loop;

  create policy of_tenant on loam.tenants using (id = (select loam.tenant_of_work()));
  create policy of_tenant on loam.api_keys using (tenant_id = (select loam.tenant_of_work()));

  create policy read_of_tenant on loam.agents for select using (tenant_id = (select loam.tenant_of_work()));
  create policy insert_of_tenant on loam.agents for insert with check (tenant_id = (select loam.tenant_of_work()));
  create policy update_of_tenant on loam.agents for update using (tenant_id = (select loam.tenant_of_work()));
  -- Deleting an agent reaches every user's rows.
  create policy delete_for_every_user on loam.agents for delete
    using (tenant_id = (select loam.tenant_of_work()) and (select loam.is_for_every_user()));

  foreach name in array array[
    'sessions', 'messages', 'runs', 'episodes', 'documents', 'scopes', 'chunks', 'events', 'deliveries', 'model_calls'
  ] loop
    execute format($policy$
      create policy of_tenant_and_user on loam.%I using (
        tenant_id = (select loam.tenant_of_work())
        and (user_id = '' or user_id = (select loam.user_of_work()) or (select loam.is_for_every_user()))
      )$policy$, name);
  end loop;

  foreach name in array array['postings', 'chunk_groups', 'chunk_vectors'] loop
    execute format($policy$
      create policy of_tenant_and_user on loam.%I using (
        tenant_id = (select loam.tenant_of_work())
        and ((select loam.is_for_every_user()) or scope_id in (
          select s.scope_id from loam.scopes s
          where s.tenant_id = (select loam.tenant_of_work()) and s.user_id in ('', (select loam.user_of_work()))
        ))
      )$policy$, name);
  end loop;
end
$$;

create policy of_system on loam.tenants for select to loam_system using (true);
create policy of_system on loam.api_keys for select to loam_system using (true);
create policy of_system on loam.events for select to loam_system using (true);
create policy read_of_system on loam.deliveries for select to loam_system using (true);
create policy update_of_system on loam.deliveries for update to loam_system using (true) with check (true);

grant select, insert on loam.tenants to loam_app;
grant select, insert, update, delete on loam.api_keys, loam.agents, loam.sessions, loam.documents to loam_app;
grant select, insert on loam.messages, loam.runs, loam.embedding_spaces to loam_app;
grant select, insert, delete on loam.episodes, loam.chunks, loam.events to loam_app;
-- Locking a row asks for the right to update one of its columns.
grant update (expires_at) on loam.chunks to loam_app;
grant select, insert (tenant_id, agent_id, user_id) on loam.scopes to loam_app;
grant select on loam.postings, loam.chunk_groups to loam_app;
grant select, insert, update on loam.chunk_vectors, loam.model_calls to loam_app;
grant select, insert on loam.deliveries to loam_app;

grant select on loam.tenants, loam.api_keys, loam.events to loam_system;
grant select, update (state, attempt, run_after, lease_until, last_error) on loam.deliveries to loam_system;
