-- The open deliveries of one key in their order. Its condition is another than that of the indexes by the time at which they are due,
-- so that the planner cannot take one of those for it when, by its statistics, nothing is open.
drop index loam.deliveries_by_key;
create index deliveries_by_key on loam.deliveries (tenant_id, consumer, ordering_key, run_after, id)
  where state in ('pending', 'sent', 'running');
