-- The open deliveries of one key in their order. Its condition is another than that of the indexes by the time at which they are due,
-- so that the planner cannot take one of those for it when, by its statistics, nothing is open.
drop index loam.deliveries_by_key;
create index deliveries_by_key on loam.deliveries (tenant_id, consumer, ordering_key, run_after, id)
  where state in ('pending', 'sent', 'running');

-- A scope is made with a revision of its own, so that one statement makes it or gives it its next one.
alter table loam.scopes alter column revision set default nextval('loam.scope_revisions');

-- Units of work read by indexes whatever the size of a table, so that the plans of their triggers need not be made anew each time.
alter function loam.add_postings() set plan_cache_mode = force_generic_plan;
