-- What work that began before an erasure would write back is refused. A row stands for a user of an agent without the name,
-- and is of no use a day later. Whoever knows a number knows that all erasures up to it are committed.
create sequence loam.erasure_numbers;
create table loam.erasures (
  tenant_id uuid not null,
  -- See loam.erasure_key.
  key bigint not null,
  number bigint not null,
  erased_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, key)
);
create index erasures_newest on loam.erasures (tenant_id, number);
alter table loam.erasures enable row level security;
alter table loam.erasures force row level security;
create policy of_tenant on loam.erasures using (tenant_id = (select loam.tenant_of_work()));
grant select, insert, update, delete on loam.erasures to loam_app;
grant usage on sequence loam.erasure_numbers to loam_app;

create function loam.erasure_key(agent uuid, user_name text) returns bigint language sql stable
  return hashtextextended('erasure ' || loam.tenant_of_work()::text || ' ' || agent::text || ' ' || user_name, 0);

-- The newest erasure that this transaction sees.
create function loam.last_erasure() returns float8 language plpgsql stable as $$
begin
  return (select e.number from loam.erasures e where e.tenant_id = loam.tenant_of_work() order by e.number desc limit 1);
end
$$;

-- Whether the user was erased after that erasure; until the end of the transaction nobody erases the user. The rows are
-- read by a statement of their own, which sees what was committed while the lock was waited for.
create function loam.was_erased(agent uuid, user_name text, since bigint) returns boolean language plpgsql volatile as $$
declare
  place bigint := loam.erasure_key(agent, user_name);
begin
  perform pg_advisory_xact_lock_shared(place);
  return exists (
    select from loam.erasures e where e.tenant_id = loam.tenant_of_work() and e.key = place and e.number > since
  );
end
$$;

create function loam.refuse_erased(agent uuid, user_name text, since bigint) returns void language plpgsql volatile as $$
begin
  if loam.was_erased(agent, user_name, since) then
    raise exception 'erased meanwhile' using errcode = 'LM001';
  end if;
end
$$;

-- To be the last statement of its transaction, since erasures are numbered one after the other.
create function loam.record_erasure(agent uuid, user_name text) returns float8 language plpgsql volatile as $$
declare
  given bigint;
begin
  perform pg_advisory_xact_lock(7420003);
  insert into loam.erasures as e (tenant_id, key, number)
  values (loam.tenant_of_work(), loam.erasure_key(agent, user_name), nextval('loam.erasure_numbers'))
  on conflict (tenant_id, key) do update set number = excluded.number, erased_at = excluded.erased_at
  returning e.number into given;
  return given;
end
$$;
